type Allocate = (size: number, ...more: never[]) => Buffer;

const BUFFER_WAYS = ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const;
const TYPED_WAYS = [
  ...['ArrayBuffer', 'Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Int16Array'],
  ...['Uint32Array', 'Int32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
] as const;
/** An array of so many places, which it has room for at once. */
const ARRAY = 'Array';
const BYTES_PER_PLACE = 8;

/**
 * Counts the bytes that are asked for by number, whether or not they are had: by `Buffer.alloc` and its like, which
 * node:zlib uses, too, and by `new Uint8Array(n)` and its like. Other growth needs a step for each piece, and is bounded
 * by the steps.
 */
export class AllocationMeter {
  #bytes = 0;
  #isCounting = false;
  /** Undoes what was put in place. */
  readonly #undo: (() => void)[] = [];

  /** Puts the counters in place, for all code of this realm until `remove`. */
  install(): void {
    for (const name of BUFFER_WAYS) {
      const original = Buffer[name].bind(Buffer) as Allocate;
      this.#replace(Buffer, name, (size: number, ...more: never[]) => {
        this.#count(size);
        return original(size, ...more);
      });
    }
    const realm = globalThis as unknown as Record<string, new (...args: unknown[]) => object>;
    for (const name of [...TYPED_WAYS, ARRAY]) {
      const original = realm[name];
      if (original === undefined) continue;
      const bytesPerOne =
        name === ARRAY
          ? BYTES_PER_PLACE
          : 'BYTES_PER_ELEMENT' in original
            ? Number(original.BYTES_PER_ELEMENT)
            : 1;
      const counting: typeof original = new Proxy(original, {
        construct: (target, args: unknown[], newTarget) => {
          if (typeof args[0] === 'number' && args.length === 1) this.#count(args[0] * bytesPerOne);
          return Reflect.construct(target, args, newTarget === counting ? target : newTarget) as object;
        },
      });
      this.#replace(realm, name, counting);
    }
  }

  remove(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }

  /** Runs some work, and says how many bytes it has asked for in the end, also if it throws. */
  measure(work: () => void): number {
    this.#bytes = 0;
    this.#isCounting = true;
    try {
      work();
    } finally {
      this.#isCounting = false;
    }
    return this.#bytes;
  }

  #count(bytes: number): void {
    if (this.#isCounting) this.#bytes += bytes;
  }

  #replace(owner: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    if (before === undefined) return;
    Object.defineProperty(owner, name, { ...before, value });
    this.#undo.push(() => Object.defineProperty(owner, name, before));
  }
}
