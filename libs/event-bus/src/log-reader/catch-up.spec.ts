import { CatchUp } from './catch-up';

describe('CatchUp', () => {
  it('is done immediately when there is nothing to read', () => {
    const catchUp = new CatchUp();
    catchUp.expect('a', 0, 5n, 5n);
    expect(catchUp.isDone).toBe(false);
    catchUp.allExpected();
    expect(catchUp.isDone).toBe(true);
  });

  it('is done and resolves when every partition has reached its end', async () => {
    const catchUp = new CatchUp();
    catchUp.expect('a', 0, 0n, 5n);
    catchUp.expect('a', 1, 0n, 2n);
    catchUp.allExpected();
    catchUp.read('a', 0, 4n);
    catchUp.read('a', 1, 2n);
    expect(catchUp.isDone).toBe(false);
    catchUp.read('a', 0, 6n);
    expect(catchUp.isDone).toBe(true);
    await expect(catchUp.done).resolves.toBeUndefined();
  });
});
