import {
  dataOf,
  decodeReply,
  decodeRequest,
  eventOf,
  FrameSplitter,
  NO_NODE,
  withLength,
} from '../../support/zookeeperFrames';

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]);
const byte = (value: number): Buffer => Buffer.from([value]);

describe('frames', () => {
  it('are put together from any pieces', () => {
    const frames = ['one', '', 'three'].map((content) => Buffer.from(content));
    const bytes = Buffer.concat(frames.map(withLength));
    for (let size = 1; size <= bytes.length; size += 1) {
      const splitter = new FrameSplitter();
      const found: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...splitter.push(bytes.subarray(at, at + size)));
      expect(found.map(String)).toEqual(['one', '', 'three']);
    }
  });
});

describe('requests', () => {
  it('tell path, data and whether a created node is ephemeral', () => {
    const acl = [int32(1), int32(31), text('world'), text('anyone')];
    const head = [int32(7), int32(1), text('/a/é'), text('17'), ...acl];
    const wanted = { xid: 7, op: 'create', path: '/a/é', data: '17', watch: false };
    expect(decodeRequest(Buffer.concat([...head, int32(1)]))).toEqual({ ...wanted, ephemeral: true });
    expect(decodeRequest(Buffer.concat([...head, int32(0)]))).toEqual({ ...wanted, ephemeral: false });
  });

  it('tell whether they leave a watch', () => {
    const request = (watch: number): Buffer => Buffer.concat([int32(8), int32(4), text('/a'), byte(watch)]);
    expect(decodeRequest(request(1))).toMatchObject({ op: 'getData', path: '/a', watch: true });
    expect(decodeRequest(request(0))).toMatchObject({ op: 'getData', path: '/a', watch: false });
  });

  it('may have null as data, no path at all, or a kind that is not known here', () => {
    const write = Buffer.concat([int32(9), int32(5), text('/a'), int32(-1), int32(3)]);
    expect(decodeRequest(write)).toMatchObject({ op: 'setData', path: '/a', data: null });
    expect(decodeRequest(Buffer.concat([int32(-2), int32(11)]))).toMatchObject({ op: 'ping', path: null });
    expect(decodeRequest(Buffer.concat([int32(9), int32(77)]))).toMatchObject({ op: 'op 77', path: null });
  });

  it('name the first path of a transaction', () => {
    const check = [int32(13), byte(0), int32(-1), text('/a'), int32(-1)];
    const request = Buffer.concat([int32(9), int32(14), ...check, int32(-1), byte(1), int32(-1)]);
    expect(decodeRequest(request)).toMatchObject({ op: 'multi', path: '/a' });
  });
});

describe('replies', () => {
  const zxid = Buffer.alloc(8);

  it('tell the error, or the data', () => {
    const good = decodeReply(Buffer.concat([int32(8), zxid, int32(0), text('17')]));
    expect(good).toMatchObject({ xid: 8, error: 0 });
    expect(dataOf(good)).toBe('17');
    const bad = decodeReply(Buffer.concat([int32(8), zxid, int32(NO_NODE)]));
    expect(bad).toMatchObject({ xid: 8, error: NO_NODE });
    expect(dataOf(bad)).toBeNull();
  });

  it('may be watch events', () => {
    const event = Buffer.concat([int32(-1), zxid, int32(0), int32(2), int32(3), text('/a')]);
    expect(eventOf(decodeReply(event))).toEqual({ type: 2, path: '/a' });
    expect(eventOf(decodeReply(Buffer.concat([int32(1), zxid, int32(0)])))).toBeNull();
  });
});
