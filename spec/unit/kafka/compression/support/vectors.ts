import type { CodecName } from '../../../../../lib/kafka/compression/codecs';
import vectorsJson from '../fixtures/vectors.json';
import { type PlainText, plainTexts } from './plainTexts';

/** A set that a real compressor made. */
export interface Vector {
  readonly name: string;
  readonly codec: CodecName;
  readonly magic: 0 | 1 | 2;
  readonly compressed: Buffer;
  readonly plain: Buffer;
}

export const vectors: readonly Vector[] = (
  vectorsJson as readonly {
    madeBy: string;
    codec: CodecName;
    magic: 0 | 1 | 2;
    plain: PlainText;
    base64: string;
  }[]
).map(({ madeBy, codec, magic, plain, base64 }) => ({
  name: `${plain} by ${madeBy}`,
  codec,
  magic,
  compressed: Buffer.from(base64, 'base64'),
  plain: plainTexts[plain],
}));

/** The vectors of a codec. */
export function vectorsOf(codec: CodecName): readonly Vector[] {
  return vectors.filter((vector) => vector.codec === codec);
}
