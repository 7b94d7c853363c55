/** The part of a .cpuprofile that is used here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface SelfTime {
  readonly name: string;
  readonly share: number;
  readonly ms: number;
}

/** Functions by the time that they spent themselves, the longest first. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): SelfTime[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const microsByName = new Map<string, number>();
  let totalMicros = 0;
  samples.forEach((id, index) => {
    // A delta stands in front of its sample, so the time that a sample lasted is the next one.
    const micros = timeDeltas[index + 1] ?? 0;
    const name = names.get(id) ?? '(unknown)';
    microsByName.set(name, (microsByName.get(name) ?? 0) + micros);
    totalMicros += micros;
  });
  return [...microsByName]
    .sort(([, a], [, b]) => b - a)
    .map(([name, micros]) => ({ name, share: micros / totalMicros, ms: micros / 1000 }));
}

function nameOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  return `${name} ${url.replace(/^.*\/(?=(?:lib|bench\/clients|node_modules)\/)/, '')}:${lineNumber + 1}`;
}
