import { PatientClient } from '../faults/client.mjs';
import { allEvents, path } from '../shared/api.mjs';
import { sleep } from '../shared/wait.mjs';

const PAUSE_MS = 25;

/**
 * Appends one small event after the other and notes when each was acknowledged: the pauses between them are what a
 * client notices.
 */
export class AppendProbe {
  constructor({ url, apiKey, memoryId }) {
    this.client = new PatientClient({ urls: [url], apiKey });
    this.place = path`/memory/memories/${memoryId}/actors/probe/sessions/probe/events`;
    /** Times of acknowledgements, in milliseconds. */
    this.times = [];
    /** Acknowledged messages by sequence. */
    this.acknowledged = new Map();
    this.ending = false;
  }

  async run() {
    for (let number = 1; !this.ending; number += 1) {
      const message = `probe ${number}`;
      const body = { payload: { type: 'CONVERSATIONAL', role: 'assistant', message } };
      const { status, answer } = await this.client.send('POST', this.place, { body, key: `probe-${number}` });
      if (status !== 200) throw new Error(`append: ${status} ${JSON.stringify(answer)}`);
      this.times.push(Date.now());
      this.acknowledged.set(answer.sequence, message);
      await sleep(PAUSE_MS);
    }
  }

  end() {
    this.ending = true;
  }

  /** Longest time without an acknowledgement between two times, in milliseconds. */
  longestPause(from, to) {
    const inside = this.times.filter((time) => time > from && time < to);
    const marks = [this.times.findLast((time) => time <= from) ?? from, ...inside];
    marks.push(this.times.find((time) => time >= to) ?? to);
    return Math.max(...marks.slice(1).map((time, index) => time - marks[index]));
  }

  /** Acknowledged events that are missing, different or duplicated in the session. */
  async faults(api) {
    const found = await allEvents(api, this.place);
    const bySequence = new Map(found.map(({ sequence, payload }) => [sequence, payload.message]));
    const faults = [...this.acknowledged]
      .filter(([sequence, message]) => bySequence.get(sequence) !== message)
      .map(([sequence, message]) => `${message} is not at ${sequence}`);
    if (new Set(bySequence.values()).size !== found.length) faults.push('a message is there twice');
    if (found.some(({ sequence }, index) => sequence !== index + 1)) faults.push('sequences have gaps');
    return faults;
  }
}
