import { selfTimes } from '../../../bench/selfTimes';

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

it('functions are told by the time that they spent themselves, wherever they were called', () => {
  const nodes = [
    node(1, '(idle)'),
    node(2, 'next', 'file:///somewhere/build/lib/stream/Loop.js', 20),
    node(3, '', '/x/bench/clients/bareLoop.js', 4),
    node(4, 'next', 'file:///somewhere/build/lib/stream/Loop.js', 20),
  ];
  // The first delta is the time before the first sample.
  const times = selfTimes({
    nodes,
    samples: [1, 2, 3, 4, 2],
    timeDeltas: [9_000_000, 1000, 2000, 3000, 4000],
  });
  expect(times).toEqual([
    { name: 'next lib/stream/Loop.js:21', share: 0.6, ms: 6 },
    { name: '(anonymous) bench/clients/bareLoop.js:5', share: 0.3, ms: 3 },
    { name: '(idle)', share: 0.1, ms: 1 },
  ]);
});
