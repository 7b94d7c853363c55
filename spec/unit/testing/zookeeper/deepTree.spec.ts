import { TestEnsemble } from './support/TestEnsemble';

describe('a tree of many levels', () => {
  it('can be read as a whole', async () => {
    await using zookeeper = await TestEnsemble.start();
    const session = zookeeper.ensemble.openSession('');
    const paths = Array.from({ length: 6000 }, (_, index) => '/x'.repeat(index + 1));
    for (const path of paths) session.create(path, '');
    expect([...zookeeper.ensemble.tree('/x').keys()]).toEqual(paths);
    expect(zookeeper.ensemble.tree().size).toBe(6000 + 4);
    session.close();
  });
});
