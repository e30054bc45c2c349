/** Two sounds are at least this far apart. */
const PAUSE_MS = 2_000;
const [TONE_HZ, LOUDNESS, SECONDS] = [660, 0.2, 0.35];

/** A short tone for alerts. A browser lets it sound only after a click, which switches it on. */
export class Sound {
  private context: AudioContext | undefined;
  private last = 0;

  async switchTo(isOn: boolean): Promise<void> {
    const context = this.context;
    this.context = isOn ? new AudioContext() : undefined;
    await context?.close();
    if (isOn) this.play();
  }

  play(now = Date.now()): void {
    if (!this.context || now - this.last < PAUSE_MS) return;
    this.last = now;
    const { currentTime, destination } = this.context;
    const tone = this.context.createOscillator();
    const loudness = this.context.createGain();
    tone.frequency.value = TONE_HZ;
    loudness.gain.setValueAtTime(LOUDNESS, currentTime);
    loudness.gain.exponentialRampToValueAtTime(0.001, currentTime + SECONDS);
    tone.connect(loudness).connect(destination);
    tone.start();
    tone.stop(currentTime + SECONDS);
  }
}
