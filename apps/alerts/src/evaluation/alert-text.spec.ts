import { samplePosition, sampleWallet } from '@plimsoll/testing';
import { openedText, resolvedText } from './alert-text';
import { positionState } from './position-state';

const position = (healthFactor: number | null) =>
  positionState(samplePosition(sampleWallet(1), 1, 'critical', { healthFactor }));

describe('the text of an alert', () => {
  it('never shows a health factor as better than it is', () => {
    expect(openedText('liquidation_risk', position(0.99999), 0).title).toContain('0.9999');
  });

  it('has words for a position without debt', () => {
    expect(resolvedText({ type: 'liquidation_risk', reason: 'recovered' }, position(null)).title).toContain(
      'no debt',
    );
  });
});
