import { describe, expect, it } from 'vitest';
import { fact, message, run, WINDOW } from '../testing/admission.js';
import type { Candidate, WindowMessage } from './candidate.js';

describe('statements and their context', () => {
  const agentSays = (content: string): WindowMessage => ({ ...message('a1', content), role: 'assistant' });

  describe('context of a statement', () => {
    const asked = { ...message('q', 'Where did you move, to Hue?', 1), role: 'assistant', at: '2023-05-08T11:00:00Z' };
    const added = { ...message('later', 'Hue is so green.', 3), at: '2023-05-08T13:00:00Z' };
    const window = [asked, message('e1', 'I moved to Hue.', 2), added];
    const context = (eventId: string, quote: string) => ({ eventId, quote, context: true });
    const moved = fact('User moved to Hue.', 'e1', 'I moved to Hue');

    it('is stored as such and does not change when the fact was stated', () => {
      const cited = [
        ...moved.sources,
        context('q', 'Where did you move, to Hue?'),
        context('later', 'Hue is so green.'),
      ];
      const { records } = run([{ ...moved, sources: cited }], [], window);
      expect(records[0]?.sources.map(({ eventId, context: marked }) => [eventId, marked ?? false])).toEqual([
        ['e1', false],
        ['q', true],
        ['later', true],
      ]);
      expect(records[0]?.statedAt).toBe('2023-05-08T12:00:00Z');
    });

    describe('said in a later window', () => {
      const later = [message('later', 'Hue is so green.', 5)];
      const cited = { ...moved, sources: [...moved.sources, context('later', 'Hue is so green.')] };

      it('is added to the record, which is not stated again', () => {
        const stated = { recordId: 'known', text: moved.text, statedAt: '2023-05-08T12:00:00Z' };
        const { continued, ...rest } = run([cited], [stated], later, WINDOW);
        const [source] = [{ eventId: 'later', sequence: 5, role: 'user', quote: 'Hue is so green.', context: true }];
        expect(continued).toEqual([{ recordId: 'known', sources: [source] }]);
        expect(rest).toEqual({ records: [], confirmed: [], superseded: [], refused: [], unknownRelations: 0 });
      });

      it('does not restore a withdrawn supersession', () => {
        const [older, newer] = ['User lives in Oslo.', moved.text].map((text, index) => ({
          recordId: `known${index}`,
          text,
          statedAt: `2023-05-0${index + 1}T12:00:00Z`,
        }));
        expect(run([cited], [older!, newer!], later, WINDOW).superseded).toEqual([]);
        expect(run([cited], [older!, newer!]).superseded).toEqual([]);
      });

      it('is ignored if there is no such record', () => {
        const { continued, records, refused } = run([cited], [], later, WINDOW);
        expect({ continued, records, refused }).toEqual({ continued: undefined, records: [], refused: [] });
      });
    });

    it('carries no fact alone', () => {
      const { records, refused } = run([{ ...moved, sources: [context('later', 'Hue is so green.')] }], [], window);
      expect([records, refused.map(({ reason }) => reason)]).toEqual([[], ['quote_does_not_carry']]);
    });

    it('becomes a statement if another fact of the answer is stated by the same words', () => {
      const first = {
        ...moved,
        sources: [{ eventId: 'later', quote: 'Hue is so green.' }, context('e1', 'I moved to Hue')],
      };
      expect(run([first, moved], [], window).records[0]?.sources.map(({ context: marked }) => marked ?? false)).toEqual(
        [false, false],
      );
    });
  });

  it('accepts new statements by the agent', () => {
    const { records } = run(
      [fact('The depot opens at nine.', 'a1', 'opens at nine')],
      [],
      [agentSays('The depot opens at nine.')],
    );
    expect(records).toHaveLength(1);
  });

  it('accepts the same statement from the user as new evidence', () => {
    const { confirmed } = run(
      [fact('User moved to Hue.', 'e1', 'I moved to Hue')],
      [{ recordId: 'known', text: 'User moved to Hue.' }],
    );
    expect(confirmed).toHaveLength(1);
  });

  describe('with messages before the window', () => {
    const question = { ...message('e0', 'Where do you live now?', 0), role: 'assistant' };
    const answer = message('e3', 'In Hue since May.', 3);
    const inHue = (...sources: Candidate['sources']) =>
      run(
        [{ text: 'Asked "Where do you live now?", user answered "In Hue since May".', sources }],
        [],
        [answer],
        [question],
      );
    const cited = { eventId: 'e0', quote: 'Where do you live now?' };

    it('accepts a fact of the window that also uses one of them, and cites both', () => {
      const { records } = inHue({ eventId: 'e3', quote: 'In Hue since May' }, cited);
      expect(records[0]?.sources.map(({ eventId, role }) => [eventId, role])).toEqual([
        ['e3', 'user'],
        ['e0', 'assistant'],
      ]);
    });

    it('refuses a fact based on them alone, because they were already read', () => {
      expect(inHue(cited).refused.map(({ reason }) => reason)).toEqual(['only_context']);
    });

    it('requires verbatim quotes from them as well', () => {
      const { refused } = inHue({ eventId: 'e3', quote: 'In Hue' }, { eventId: 'e0', quote: 'Where did you live?' });
      expect(refused.map(({ reason }) => reason)).toEqual(['quote_not_in_event']);
    });
  });
});
