import { Writable } from 'node:stream';

import { Screen } from '../../../examples/demo/Screen';

const ESCAPE = '\u001b';
const COMMAND = `${ESCAPE}\\[[?]?(\\d*)([A-Za-z])`;
/** Commands, ends of lines, and what is between. */
const PARTS = new RegExp(`${COMMAND}|\\n|\\r|[^${ESCAPE}\\n\\r]+`, 'g');

/** What a terminal or a file would get. */
class Output extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns = 40;
  readonly rows: number;

  constructor(isTTY: boolean, rows: number) {
    super();
    this.isTTY = isTTY;
    this.rows = rows;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function screenOn(isTTY: boolean, rows = 24): { output: Output; screen: Screen } {
  const output = new Output(isTTY, rows);
  return { output, screen: new Screen(output as unknown as NodeJS.WriteStream) };
}

/** What is to be seen on a terminal in the end. */
function seenOf(text: string): string[] {
  const lines: string[] = [''];
  let row = 0;
  for (const [part, count, command] of text.matchAll(PARTS)) {
    if (command === 'A') row -= Number(count);
    else if (command === 'J') lines.length = row;
    else if (part === '\n') row += 1;
    else if (part !== '\r' && command === undefined) lines[row] = (lines[row] ?? '') + part;
    lines[row] ??= '';
  }
  return lines;
}

describe('where the output is piped', () => {
  it('there are lines only, and the picture where it is asked for', () => {
    const { output, screen } = screenOn(false);
    screen.heading('A step');
    screen.live(() => ['picture']);
    screen.detail('detail');
    screen.snapshot();
    screen.verify('it is so', true);
    screen.still();
    expect(output.text).toBe('\nA step\n    detail\n    picture\n    ok  it is so\n');
  });
});

describe('on a terminal', () => {
  it('the picture stays below the lines, as it is at that moment, and goes at the end', () => {
    const { output, screen } = screenOn(true);
    let count = 0;
    screen.live(() => [`picture ${++count}`, `and more than fits into ${'a'.repeat(40)}`]);
    screen.detail('one');
    screen.detail('two');
    const during = seenOf(output.text);
    screen.still();
    screen.detail('three');
    expect(output.text).toContain(ESCAPE);
    expect(during.slice(0, 3)).toEqual(['    one', '    two', '']);
    expect(during.slice(3)).toEqual([
      `    picture ${count}`,
      expect.stringMatching(/^ {4}and more .{26}$/),
      '',
    ]);
    expect(seenOf(output.text)).toEqual(['    one', '    two', '    three', '']);
  });

  it('has only as many lines of the picture as the terminal can take back', () => {
    const { output, screen } = screenOn(true, 4);
    screen.live(() => ['1', '2', '3', '4', '5']);
    screen.detail('line');
    expect(seenOf(output.text)).toEqual(['    line', '', '    1', '    2', '']);
    screen.still();
    expect(seenOf(output.text)).toEqual(['    line', '']);
  });

  it('a claim that does not hold is an error', () => {
    const { screen } = screenOn(true);
    expect(() => screen.verify('it is so', false)).toThrow('This does not hold: it is so.');
  });
});
