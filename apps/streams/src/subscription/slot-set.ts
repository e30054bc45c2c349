const WORD_BITS = 32;

/** Slots of connections, each once, in order. */
export class SlotSet {
  private words = new Uint32Array(64);

  add(slot: number): void {
    const word = Math.floor(slot / WORD_BITS);
    if (word >= this.words.length) this.grow(word);
    this.words[word] = (this.words[word] as number) | (1 << (slot % WORD_BITS));
  }

  each(visit: (slot: number) => void): void {
    for (let word = 0; word < this.words.length; word += 1) {
      for (let bits = this.words[word] as number; bits !== 0; bits &= bits - 1) {
        const lowest = WORD_BITS - 1 - Math.clz32(bits & -bits);
        visit(word * WORD_BITS + lowest);
      }
    }
  }

  private grow(word: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)));
    words.set(this.words);
    this.words = words;
  }
}
