import { assignReplicas } from '../../../../lib/testing/kafka/replicaAssignment';
import { RandomNumbers } from '../../../../lib/testing/network/RandomNumbers';

describe('replicas of a topic that brokers create', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('are spread evenly over brokers (seed %d)', (seed) => {
    const brokers = [4, 7, 9, 12];
    const assignment = assignReplicas(brokers, 8, 3, new RandomNumbers(seed));
    expect(assignment).toHaveLength(8);
    for (const replicas of assignment) {
      expect(new Set(replicas).size).toBe(3);
      expect(replicas.every((id) => brokers.includes(id))).toBe(true);
    }
    for (const id of brokers) {
      expect(assignment.filter(([leader]) => leader === id)).toHaveLength(2);
      expect(assignment.flat().filter((replica) => replica === id)).toHaveLength(6);
    }
  });

  it('are all on the only broker', () => {
    expect(assignReplicas([3], 2, 1, new RandomNumbers(1))).toEqual([[3], [3]]);
  });

  it('are the same for the same seed', () => {
    const draw = (seed: number): number[][] => assignReplicas([1, 2, 3], 5, 2, new RandomNumbers(seed));
    expect(draw(5)).toEqual(draw(5));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => JSON.stringify(draw(seed)))).size).toBeGreaterThan(1);
  });
});
