import { decoders } from '../../../lib/stream/decoders';

const AT = { topic: 'orders', partition: 0, offset: 7, field: 'value' } as const;

describe('decoders', () => {
  const bytes = Buffer.from('{"käse":1}');

  it('give a view, or a copy that does not change with what it was made of', () => {
    const source = Buffer.from(bytes);
    const view = decoders.view(source, AT);
    const copy = decoders.copy(source, AT);
    source.fill(0);
    expect(view).toBe(source);
    expect(copy).toEqual(bytes);
  });

  it('give text and JSON', () => {
    expect(decoders.utf8(bytes, AT)).toBe('{"käse":1}');
    expect(decoders.json(bytes, AT)).toEqual({ käse: 1 });
    expect(decoders.utf8(Buffer.alloc(0), AT)).toBe('');
    expect(() => decoders.json(Buffer.alloc(0), AT)).toThrow(SyntaxError);
  });
});
