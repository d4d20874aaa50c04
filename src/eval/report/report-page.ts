import { createHash } from 'node:crypto'
import type { Examples } from '../measure.ts'
import { svgPlot } from '../plot/svg-plot.ts'
import type { CompactorReport, EvalReport, Figures } from '../run-eval.ts'
import { FACT_KINDS } from '../truth/facts.ts'

/** The figures of the tables, in their order, with a few words for each. docs/eval.md defines them. */
export const FIGURES: Readonly<Record<string, string>> = {
  facts: 'facts kept, mean of the kinds',
  'facts without lists': 'facts kept, without lists of names',
  'facts, oldest quarter': 'of the oldest quarter of the session, without lists of names',
  words: 'messages of the user, word for word',
  rules: 'standing rules of the user',
  'stale rules': 'changed rules shown only in their old form (less is better)',
  decisions: 'approaches given up, with the reason',
  ledger: 'files and checks with their true state',
  next: 'names that the next 15 calls use',
  'next without lists': 'names that the next 15 calls use, without lists of names',
  precision: 'names in the context that occur again later',
  false: 'claims that never held (less is better)',
  outdated: 'claims that held once (less is better)',
  invented: 'names that are not in the session (less is better)',
  valid: 'requests that four providers take',
  fits: 'contexts within the target',
  tokens: 'tokens of a context',
}

/** The figures of a compactor after its last reported compaction. */
export function lastFigures({ rounds }: CompactorReport): Figures {
  return rounds.at(-1)?.figures ?? {}
}

/** A share with two decimals, tokens and their cost without any; `–` if nothing was asked. */
export function figureText(figure: string, value: number | undefined): string {
  if (value === undefined) return '–'
  return /^(?:tokens|cost)$/.test(figure) ? Math.round(value).toLocaleString('en-US') : value.toFixed(2)
}

/** The conditions of every number in a report: another version, setting or session makes other numbers. */
export function settingsLine({ pith, settings, sessions }: EvalReport): string {
  const { windowTokens, targetTokens, rounds } = settings
  const hash = createHash('sha256').update(sessions.map((one) => one.hash).join())
  return [
    `Pith ${pith}`,
    `window ${windowTokens.toLocaleString('en-US')}`,
    `target ${targetTokens.toLocaleString('en-US')}`,
    `at most ${rounds} compactions`,
    `sessions ${hash.digest('hex').slice(0, 12)}`,
  ].join(' · ')
}

/** A report as one page that needs no other file. */
export function reportPage(report: EvalReport): string {
  const { settings, sessions, compactors, skipped } = report
  const plots = ['facts without lists', 'words', 'rules', 'ledger', 'next without lists'].map((name) =>
    plotOf(name, compactors),
  )
  const rounds = [...new Set(compactors.flatMap(({ rounds }) => rounds.map(({ round }) => round)))].toSorted(
    (a, b) => a - b,
  )
  const facts = `${sessions.length} sessions (${escaped(settings.set)}) · ${escaped(settingsLine(report))}`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pith eval</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.25rem .6rem;border-bottom:1px solid #8885;text-align:right;white-space:nowrap}td:first-child,th:first-child{text-align:left}.baseline{opacity:.65}</style>
<h1>pith eval</h1>
<p>${facts}</p>
${rounds.map((round) => `<h2>After ${round} ${round === 1 ? 'compaction' : 'compactions'}</h2>\n${tableOf(round, compactors)}`).join('\n')}
<h2>Facts by kind, after the last compaction</h2>
${kindsTable(compactors)}
${plots.join('\n')}
<h2>What the columns mean</h2>
<ul>${Object.entries(FIGURES)
    .map(([name, what]) => `<li><b>${name}</b>: ${what}</li>`)
    .join(
      '',
    )}<li><b>cost</b>: all requests of a session, with a prefix cache, in thousands of tokens of plain input</li></ul>
<h2>Compactors</h2>
<ul>${compactors.map(({ name, from, failures }) => `<li>${escaped(name)}: ${escaped(from)}${failures.length === 0 ? '' : `; failed compactions: ${failures.length}, first: ${escaped(failures[0]?.why ?? '')}`}</li>`).join('')}</ul>
${Object.entries(EXAMPLES)
  .map(([what, title]) => `<h2>${title}</h2>\n<ul>${examplesOf(what as keyof Examples, compactors)}</ul>`)
  .join('\n')}
<h2>Sessions</h2>
<ul>${sessions.map(({ name, hash, messages, cuts }) => `<li>${escaped(name)} <code>${hash}</code>: ${messages} messages, ${cuts.length} compactions</li>`).join('')}</ul>
${skipped.length === 0 ? '' : `<h2>Left out</h2>\n<ul>${skipped.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`}
</html>
`
}

function tableOf(round: number, compactors: readonly CompactorReport[]): string {
  const names = Object.keys(FIGURES)
  const rows = compactors.flatMap(({ name, isBaseline, rounds, cost }) => {
    const own = rounds.find((one) => one.round === round)
    if (own === undefined) return []
    const cells = names.map((figure) => `<td>${figureText(figure, own.figures[figure])}</td>`).join('')
    return [
      `<tr${isBaseline ? ' class="baseline"' : ''}><td>${escaped(name)}</td>${cells}<td>${figureText('cost', cost)}</td></tr>`,
    ]
  })
  return `<table><tr><th>compactor</th>${names.map((name) => `<th>${name}</th>`).join('')}<th>cost</th></tr>${rows.join('')}</table>`
}

/** Only the compactors that are measured: a baseline has no use for its examples. */
function examplesOf(what: keyof Examples, compactors: readonly CompactorReport[]): string {
  const lines = compactors
    .filter(({ isBaseline }) => !isBaseline)
    .flatMap(({ name, examples }) =>
      examples[what].map((line) => `<li>${escaped(name)}: <code>${escaped(line)}</code></li>`),
    )
  return lines.join('') || '<li>none</li>'
}

const EXAMPLES: Readonly<Record<keyof Examples, string>> = {
  rules: 'Rules that were lost',
  false: 'Claims that never held',
  invented: 'Names that are not in the session',
  valid: 'Why providers refuse',
}

function kindsTable(compactors: readonly CompactorReport[]): string {
  const rows = compactors.map((one) => {
    const figures = lastFigures(one)
    const cells = FACT_KINDS.map((kind) => `<td>${figureText(kind, figures[`fact: ${kind}`])}</td>`).join('')
    return `<tr${one.isBaseline ? ' class="baseline"' : ''}><td>${escaped(one.name)}</td>${cells}</tr>`
  })
  return `<table><tr><th>compactor</th>${FACT_KINDS.map((kind) => `<th>${kind}</th>`).join('')}</tr>${rows.join('')}</table>`
}

function plotOf(figure: string, compactors: readonly CompactorReport[]): string {
  const lines = compactors.map(({ name, rounds }) => ({
    label: name,
    points: rounds.flatMap(({ round, figures }) =>
      figures[figure] === undefined ? [] : [[round, figures[figure]] as const],
    ),
  }))
  const title = `${FIGURES[figure]}, by the number of compactions`
  return svgPlot({ name: figure, title, x: { label: 'compactions' }, y: { label: 'share' }, lines })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
