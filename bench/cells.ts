/** Releases of Kafka that the bench runs on: the last of the old message format, and the last that has ZooKeeper. */
export const KAFKAS = ['0.10.2.2', '3.9.1'] as const;
export const SIZES = [100, 1024] as const;
export const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;

export type KafkaVersion = (typeof KAFKAS)[number];
export type ValueBytes = (typeof SIZES)[number];
export type Codec = (typeof CODECS)[number];

/** One kind of topic, which all clients read. */
export interface Cell {
  readonly kafka: KafkaVersion;
  readonly sizeBytes: ValueBytes;
  readonly codec: Codec;
  /** What the quick clients read; the others read a share of it. */
  readonly messages: number;
}

export interface CellChoice {
  readonly kafkas: readonly KafkaVersion[];
  readonly sizes: readonly ValueBytes[];
  readonly codecs: readonly Codec[];
  /** null: as many as each cell has by default. */
  readonly messages: number | null;
}

/** Enough for a second or two of the quickest client on the machine that these were chosen on. */
const DEFAULT_MESSAGES: Readonly<Record<ValueBytes, Readonly<Record<Codec, number>>>> = {
  100: { none: 5_000_000, gzip: 3_000_000, snappy: 4_000_000, lz4: 4_000_000, zstd: 3_000_000 },
  1024: { none: 1_000_000, gzip: 400_000, snappy: 600_000, lz4: 600_000, zstd: 400_000 },
};

/** Kafka 0.10 has no zstd; everything else there is in all combinations. */
export function cellsOf({ kafkas, sizes, codecs, messages }: CellChoice): Cell[] {
  return kafkas.flatMap((kafka) =>
    sizes.flatMap((sizeBytes) =>
      codecs
        .filter((codec) => codec !== 'zstd' || kafka === '3.9.1')
        .map((codec) => ({
          kafka,
          sizeBytes,
          codec,
          messages: messages ?? DEFAULT_MESSAGES[sizeBytes][codec],
        })),
    ),
  );
}

export function cellName({ kafka, sizeBytes, codec }: Omit<Cell, 'messages'>): string {
  const size = sizeBytes < 1024 ? `${sizeBytes} B` : `${sizeBytes / 1024} KiB`;
  return `Kafka ${kafka}, ${size}, ${codec === 'none' ? 'plain' : codec}`;
}
