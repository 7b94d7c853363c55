import {
  BROKER_IDS_PATH,
  BROKER_TOPICS_PATH,
  brokerPath,
  GroupPaths,
  illegalPathCharacter,
  isLegalTopicName,
  topicPath,
} from '../../../lib/zookeeper/paths';

describe('GroupPaths', () => {
  it('has the nodes of a group where the JVM members have them', () => {
    const paths = new GroupPaths('g1');
    expect(paths.root).toBe('/consumers/g1');
    expect(paths.ids).toBe('/consumers/g1/ids');
    expect(paths.id('g1_c1')).toBe('/consumers/g1/ids/g1_c1');
    expect(paths.owners).toBe('/consumers/g1/owners');
    expect(paths.ownersOf('t.1')).toBe('/consumers/g1/owners/t.1');
    expect(paths.owner('t.1', 0)).toBe('/consumers/g1/owners/t.1/0');
    expect(paths.offsetsOf('t.1')).toBe('/consumers/g1/offsets/t.1');
    expect(paths.offset('t.1', 12)).toBe('/consumers/g1/offsets/t.1/12');
  });

  it('stands beside the nodes of brokers and topics', () => {
    expect(BROKER_IDS_PATH).toBe('/brokers/ids');
    expect(BROKER_TOPICS_PATH).toBe('/brokers/topics');
    expect(brokerPath(3)).toBe('/brokers/ids/3');
    expect(topicPath('a')).toBe('/brokers/topics/a');
  });
});

describe('isLegalTopicName', () => {
  it.each(['a', 'A.b_c-9', '...', '__proto__', 'x'.repeat(249), 'x'.repeat(255)])('takes %s', (name) => {
    expect(isLegalTopicName(name)).toBe(true);
  });

  it.each(['', '.', '..', 'a b', 'a/b', 'ä', 'a\n', 'a:b', 'x'.repeat(256)])('refuses %j', (name) => {
    expect(isLegalTopicName(name)).toBe(false);
  });
});

describe('illegalPathCharacter', () => {
  it.each(['\u0000', '\u001f', '\u007f', '\u009f', '\ud800', '\ue000', '\uf8ff', '\uffff', '😀'])(
    'finds %j',
    (char) => {
      expect(illegalPathCharacter(`/a${char}b`)).toBe(char);
    },
  );

  it('finds nothing in a path of other letters', () => {
    expect(illegalPathCharacter('/a b/ü/語')).toBeUndefined();
  });
});
