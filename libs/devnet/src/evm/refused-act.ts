/** The market refuses an act: its transaction reverted, or it leaves no price. The message may be shown to a user. */
export class RefusedAct extends Error {
  override readonly name = 'RefusedAct';
}
