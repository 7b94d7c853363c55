import { pictureOf } from '../../../examples/demo/picture';

describe('the picture of a group', () => {
  const thread = (threadId: string, partitions: number[], lag: number, messages: number) => ({
    ...{ threadId, partitions, lag, messages },
  });

  it('has a line for each thread, with what it owns, how far it is behind and its share', () => {
    const members = [
      { name: 'a', isRunning: true, threads: [thread('g_a-0', [0, 1], 5, 100), thread('g_a-1', [], 0, 50)] },
      { name: 'b', isRunning: false, threads: [thread('g_b-0', [2], 1234, 50)] },
    ];
    expect(pictureOf({ members, unowned: [3, 4], produced: 200 })).toEqual([
      'MEMBER    THREAD  PARTITIONS   LAG  MESSAGES  SHARE',
      'a         g_a-0   0 1            5       100  ##########',
      'a         g_a-1   -              -        50  #####',
      'b (dead)  g_b-0   2           1234        50  #####',
      '200 messages produced (# is 5 % of them), no owner yet: 3 4',
    ]);
  });

  it('can be drawn before anything happens', () => {
    expect(pictureOf({ members: [], unowned: [], produced: 0 })).toEqual([
      'MEMBER  THREAD  PARTITIONS  LAG  MESSAGES  SHARE',
      '0 messages produced (# is 5 % of them)',
    ]);
  });
});
