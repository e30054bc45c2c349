import { waitFor } from './wait-for';

describe('waitFor', () => {
  it('returns the first truthy value', async () => {
    let looks = 0;
    const value = await waitFor(() => (looks += 1) > 2 && `look ${looks}`, {
      message: 'three polls',
      intervalMs: 1,
    });
    expect(value).toBe('look 3');
  });

  it('names the unmet condition, with the last error as its cause', async () => {
    const cause = new Error('still closed');
    const waiting = waitFor(() => Promise.reject(cause), {
      message: 'the server accepts connections again',
      timeoutMs: 20,
      intervalMs: 5,
    });
    await expect(waiting).rejects.toMatchObject({
      message: expect.stringContaining('the server accepts connections again'),
      cause,
    });
  });
});
