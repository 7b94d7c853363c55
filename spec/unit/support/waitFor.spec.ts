import { waitFor, withDeadline } from '../../support/waitFor';

const never = (): Promise<never> => new Promise(() => undefined);

describe('waitFor', () => {
  it('resolves with the first truthy value', async () => {
    const values = [0, '', null, undefined, false, 'found', 'later'];
    const options = { timeoutMs: 1000, intervalMs: 1, description: 'a value' };
    await expect(waitFor(() => Promise.resolve(values.shift()), options)).resolves.toBe('found');
    expect(values).toEqual(['later']);
  });

  it('takes an error of the condition as "not yet"', async () => {
    let calls = 0;
    const condition = (): number => {
      calls++;
      if (calls < 3) throw new Error('still starting');
      return calls;
    };
    await expect(
      waitFor(condition, { timeoutMs: 1000, intervalMs: 1, description: 'a start' }),
    ).resolves.toBe(3);
  });

  it('fails with what it waited for, the last value and the details', async () => {
    const options = {
      timeoutMs: 20,
      intervalMs: 5,
      description: 'four partitions',
      details: () => 'the log',
    };
    await expect(waitFor(() => null, options)).rejects.toThrow(
      /^Waited 20 ms in vain for: four partitions\. Last seen: null\nthe log$/,
    );
  });

  it('fails with the last error of the condition', async () => {
    const options = { timeoutMs: 20, intervalMs: 5, description: 'a broker' };
    await expect(waitFor(() => Promise.reject(new Error('refused')), options)).rejects.toThrow(
      /a broker\. Last seen: the error "refused"/,
    );
  });

  it('does not wait longer for a condition that never answers', async () => {
    await expect(waitFor(never, { timeoutMs: 30, description: 'a hanging broker' })).rejects.toThrow(
      /a hanging broker\. Last seen: the error "No answer within \d+ ms/,
    );
  });
});

describe('withDeadline', () => {
  it('passes on the result or the error that comes in time', async () => {
    await expect(withDeadline(Promise.resolve(7), 1000, 'seven')).resolves.toBe(7);
    await expect(withDeadline(Promise.reject(new Error('broken')), 1000, 'seven')).rejects.toThrow('broken');
  });

  it('fails with the description when nothing comes', async () => {
    await expect(withDeadline(never(), 10, 'an answer')).rejects.toThrow('No answer within 10 ms: an answer');
  });
});
