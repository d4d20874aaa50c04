import { pageWithBlocks } from './blocks.ts'
import { table } from './markdown.ts'
import { money, prices, share, shares } from './number-forms.ts'
import { ResultTable } from './results.ts'

const OURS = 'Pith balanced (default)'
const PLAIN = 'a plain summary at our trigger'
const PEERS = ['opencode', 'Claude Code', 'Codex', 'pi ', 'LangChain deepagents']
const NAMES: Readonly<Record<string, string>> = {
  'Pith economy': '`economy`',
  [OURS]: '`balanced` (default)',
  'Pith full-window': '`full-window`',
  [PLAIN]: 'a plain summary at the default’s trigger, 10,000 tokens kept',
  'LangChain deepagents': 'deepagents',
  'pi ': 'pi',
}
const [PRICE, FOUND, EDITED] = ['$ a session', 'far references told %', 'edited text in view %']

/** docs/policies.md: what the policies cost and keep. */
export function policiesPage(): string {
  return pageWithBlocks('docs/policies.md', { costs: `${costTable()}\n\n${costLines()}` })
}

function costTable(): string {
  const halves = [costs(/^Window of 200,000, .*for reporting$/), costs(/^Window of 200,000, .*for choosing$/)]
  const rows = ['Pith economy', OURS, 'Pith full-window', PLAIN, ...PEERS].map((row) => [
    NAMES[row] ?? row,
    ...halves.flatMap((half) => [
      half.number(row, PRICE).toPrecision(3),
      share(half.number(row, FOUND)),
      share(half.number(row, EDITED)),
    ]),
  ])
  const head = ['to report on', 'far references found', 'edited text in view', 'to choose on', 'found', 'edited']
  return table([`window of 200k, dollars a session (${halves[0]?.date})`, ...head], rows)
}

function costLines(): string {
  const report = costs(/^Window of 200,000, .*for reporting: the default against each$/)
  const choose = costs(/^Window of 200,000, .*for choosing: the default against each$/)
  const all = costs(/^Window of 200,000, all \d+ sessions: the default against each$/)
  const million = costs(/^Window of 1,000,000, all \d+ sessions$/)
  const long = costs(/^Window of 1,000,000, long sessions$/)
  const [minutes, hour] = [costs(/all caches of five minutes$/), costs(/all caches of an hour$/)]
  const every = [costs(/^Window of 200,000, .*for reporting$/), costs(/^Window of 200,000, .*for choosing$/)]
  const kept = (from: ResultTable, row: string) =>
    `${money(from.number(row, PRICE))} (${share(from.number(row, FOUND))}, ${share(from.number(row, EDITED))})`
  const masking = every.map(
    (half) => half.number('AI SDK pruneMessages at every step', PRICE) / half.number(OURS, PRICE),
  )
  const dearer = hour.number(OURS, PRICE) / minutes.number(OURS, PRICE) - 1
  const economy = [report, choose].map((half) => half.number('Pith economy', 'cheaper by %'))
  return [
    '- On 68 sessions that nobody tuned on, measured from outside with 0.2.0, `balanced` is between 0.7 % dearer and 8.6 % cheaper than its peers, and dearer in 9 to 26 of them ([figures](../bench/results/outside.md)). The lines below are from few sessions, and their savings did not hold on more.',
    `- Against the five peers \`balanced\` is ${saved(report.numbers(PEERS, 'cheaper by %'))} on the half that reports, with ${points(report.numbers(PEERS, POINTS_FOUND))} of far references and ${points(report.numbers(PEERS, POINTS_EDITED))} of edited text. On the half that its numbers were chosen on it is ${saved(choose.numbers(PEERS, 'cheaper by %'))}, with ${points(choose.numbers(PEERS, POINTS_FOUND))} and ${points(choose.numbers(PEERS, POINTS_EDITED))}.`,
    `- Few sessions were measured. Against Claude Code the 95 % interval of what is saved is ${report.text('Claude Code', '95 %')} % on the one half and ${choose.text('Claude Code', '95 %')} % on the other; \`balanced\` is dearer in ${all.text('Claude Code', 'dearer in')} sessions. Against pi it is dearer in ${all.text('pi ', 'dearer in')}.`,
    `- Most of it is when one compacts: against a plain summary at the same trigger \`balanced\` is ${saved([all.number(PLAIN, 'cheaper by %')])} on all of them (${all.text(PLAIN, '95 %')} %), with ${points([all.number(PLAIN, POINTS_FOUND)])} of far references and ${points([all.number(PLAIN, POINTS_EDITED)])} of edited text.`,
    `- \`economy\` is for people to whom the price matters most. Against it \`balanced\` is ${saved(economy)}, with ${points([report, choose].map((half) => half.number('Pith economy', POINTS_FOUND)))} of far references and ${points([report, choose].map((half) => half.number('Pith economy', POINTS_EDITED)))} of edited text. Of far references it shows ${besidePeers(every, FOUND)}, of edited text ${besidePeers(every, EDITED)}.`,
    `- \`full-window\` is for work where everything that was said may matter, and the price does not. On a window of a million \`balanced\` costs ${kept(million, OURS)} a session, \`full-window\` ${kept(million, 'Pith full-window')}; few of these sessions fill it. On long sessions, made by joining them, it is ${kept(long, OURS)} against ${kept(long, 'Pith full-window')}, and ${prices(long.numbers(PEERS, PRICE))} for the peers (${shares(long.numbers(PEERS, FOUND))}, ${shares(long.numbers(PEERS, EDITED))}).`,
    `- With a cache of an hour for all, which is written at twice the price of input, \`balanced\` costs ${share(dearer * 100)} more than with one of five minutes. Pith does not ask for it.`,
    `- Masking tool output at every step costs ${masking.map((times) => times.toFixed(1)).join(' to ')} times as much as \`balanced\`: each edit breaks a cache that is written at marks, as Anthropic’s is.`,
    fidelityLine(),
  ].join('\n')
}

/** `77 % where the five peers have 87 to 99 %`, for each half. */
function besidePeers(halves: readonly ResultTable[], column: string): string {
  return halves
    .map(
      (half) =>
        `${share(half.number('Pith economy', column))} where the peers have ${shares(half.numbers(PEERS, column))}`,
    )
    .join(' and ')
}

function fidelityLine(): string {
  const replayed = new ResultTable('cost/fidelity', /^Replay/)
  const apart = replayed.rows.map((row) => 100 * Math.abs(replayed.cell(row, 'input $') - 1))
  const within = (percent: number) => apart.filter((one) => one <= percent).length
  return `- All of this rests on the replay. Replayed as they went, ${within(1)} of ${apart.length} sessions cost within 1 % of what their providers reported for the input, and ${within(5)} within 5 % (\`bench/results/cost-fidelity.md\`).`
}

const [POINTS_FOUND, POINTS_EDITED] = ['far references told, points', 'edited text, points']

function costs(title: RegExp): ResultTable {
  return new ResultTable('cost/policies', title)
}

/** `15 to 25 % cheaper`, `between 4 % dearer and 8 % cheaper`. */
function saved(percents: readonly number[]): string {
  const [low, high] = [Math.round(Math.min(...percents)), Math.round(Math.max(...percents))]
  if (low < 0 && high > 0) return `between ${-low} % dearer and ${high} % cheaper`
  if (high <= 0) return `${shares([-high, -low])} dearer`
  return `${shares([low, high])} cheaper`
}

/** `8 to 11 points less`, `between 7 points less and 6 more`. */
function points(values: readonly number[]): string {
  const [low, high] = [Math.round(Math.min(...values)), Math.round(Math.max(...values))]
  const counted = (from: number, to: number) =>
    `${from === to ? from : `${from} to ${to}`} ${to === 1 ? 'point' : 'points'}`
  if (low < 0 && high > 0) return `between ${counted(-low, -low)} less and ${high} more`
  if (low === 0 && high === 0) return 'as much'
  return high <= 0 ? `${counted(-high, -low)} less` : `${counted(low, high)} more`
}
