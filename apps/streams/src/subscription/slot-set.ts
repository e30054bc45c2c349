const WORD_BITS = 32;

/** Slots of connections, each once, that are handed out in their order. */
export class SlotSet {
  private words = new Uint32Array(64);

  add(slot: number): void {
    const word = slot >>> 5;
    if (word >= this.words.length) this.grow(word);
    this.words[word] = (this.words[word] as number) | (1 << (slot % WORD_BITS));
  }

  /** Takes all of them out. */
  drain(visit: (slot: number) => void): void {
    for (let word = 0; word < this.words.length; word += 1) {
      let bits = this.words[word] as number;
      this.words[word] = 0;
      while (bits !== 0) {
        const highest = Math.clz32(bits & -bits);
        visit((word + 1) * WORD_BITS - 1 - highest);
        bits &= bits - 1;
      }
    }
  }

  private grow(word: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
    words.set(this.words);
    this.words = words;
  }
}
