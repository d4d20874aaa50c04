import { equalTriggerRatios } from './gateway-page.ts'
import { hundreds, shares, time } from './number-forms.ts'
import { ResultTable } from './results.ts'

/** The README's block about the price, in money, tokens and time. */
export function priceBlock(): string {
  const facts = new ResultTable('retention/told', /^Facts, all cuts/)
  const judged = new ResultTable('judge/continuation', /^Marks at the size/)
  const replay = new ResultTable('gateway/replay', /^Cost/)
  const waited = new ResultTable('gateway/own-time', /^Milliseconds/)
  const sessions = replay.rows.filter(isSession)
  const ratios = (mode: string) => shares(sessions.map((row) => replay.cell(row, mode) * 100))
  const wait = (mode: string) => time(waited.number(mode, 'waited') * 1_000)
  const atOwnTrigger = (way: 'answer' | 'long' | 'rewrite') =>
    shares(equalTriggerRatios(way).map((ratio) => ratio * 100))
  return [
    `- **Tokens.** A record takes about ${hundreds(facts.number('tokens', 'Pith: record'))} tokens, with a model's summary ${hundreds(judged.number('Pith with a model: record', 'tokens'))} (${facts.date}).`,
    `- **Money.** The summary is one request to the model that you already use, behind its prompt cache where that is possible; \`--offline\` asks none. Behind the gateway a session of Claude Code costs ${ratios('answer')} of what it costs without, in mode \`rewrite\`, which compacts earlier, ${ratios('rewrite')} (${sessions.length} sessions, ${replay.date}). Claude Code, pi and opencode with [their own trigger](gateway.md#cost-with-equal-triggers) cost ${atOwnTrigger('answer')}, if the summary is long ${atOwnTrigger('long')}, and in mode \`rewrite\` ${atOwnTrigger('rewrite')}.`,
    `- **Time.** A request of 600 kB waits ${wait('answer')} for the gateway, in mode \`rewrite\` ${wait('rewrite')} (${waited.date}).`,
  ].join('\n')
}

/** Sessions replayed as one of Claude Code; the last row is all of them together. */
function isSession([session, client]: readonly unknown[]): boolean {
  return client === 'Claude Code' && session !== 'all'
}
