import { svgPlot } from '../plot/svg-plot.ts'
import type { CompactorReport, EvalReport, Figures } from '../run-eval.ts'

/** The figures of the tables, in their order, with a few words for each. docs/eval.md defines them. */
export const FIGURES: Readonly<Record<string, string>> = {
  facts: 'facts kept, mean of the kinds',
  'facts, oldest quarter': 'of the oldest quarter of the session',
  words: 'messages of the user, word for word',
  rules: 'standing rules of the user',
  'stale rules': 'changed rules shown only in their old form (less is better)',
  decisions: 'approaches given up, with the reason',
  ledger: 'files and checks with their true state',
  next: 'names that the next 15 calls use',
  'next without lists': 'the same without lists of names',
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

/** A share with two decimals, tokens without any; `–` if nothing was asked. */
export function figureText(value: number | undefined): string {
  if (value === undefined) return '–'
  return value > 1 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2)
}

/** A report as one page that needs no other file. */
export function reportPage(report: EvalReport): string {
  const { settings, sessions, compactors, skipped } = report
  const plots = ['facts', 'words', 'rules', 'ledger', 'next without lists'].map((name) => plotOf(name, compactors))
  const rounds = [...new Set(compactors.flatMap(({ rounds }) => rounds.map(({ round }) => round)))].toSorted(
    (a, b) => a - b,
  )
  const facts = `${sessions.length} sessions (${escaped(settings.set)}), a window of ${settings.windowTokens.toLocaleString('en-US')} tokens, a target of ${settings.targetTokens.toLocaleString('en-US')}, Pith ${escaped(report.pith)}`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pith eval</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.25rem .6rem;border-bottom:1px solid #8885;text-align:right;white-space:nowrap}td:first-child,th:first-child{text-align:left}.baseline{opacity:.65}</style>
<h1>pith eval</h1>
<p>${facts}</p>
${rounds.map((round) => `<h2>After ${round} ${round === 1 ? 'compaction' : 'compactions'}</h2>\n${tableOf(round, compactors)}`).join('\n')}
${plots.join('\n')}
<h2>What the columns mean</h2>
<ul>${Object.entries(FIGURES)
    .map(([name, what]) => `<li><b>${name}</b>: ${what}</li>`)
    .join(
      '',
    )}<li><b>cost</b>: all requests of a session, with a prefix cache, in thousands of tokens of plain input</li></ul>
<h2>Compactors</h2>
<ul>${compactors.map(({ name, from, failures }) => `<li>${escaped(name)}: ${escaped(from)}${failures.length === 0 ? '' : `; failed ${failures.length} times, first: ${escaped(failures[0]?.why ?? '')}`}</li>`).join('')}</ul>
<h2>Claims that never held</h2>
<ul>${compactors.flatMap(({ name, falseLines }) => falseLines.map((line) => `<li>${escaped(name)}: <code>${escaped(line.slice(0, 300))}</code></li>`)).join('') || '<li>none</li>'}</ul>
<h2>Sessions</h2>
<ul>${sessions.map(({ name, hash, messages, cuts }) => `<li>${escaped(name)} <code>${hash}</code>: ${messages} messages, ${cuts.length} compactions</li>`).join('')}</ul>
${skipped.length === 0 ? '' : `<p>Too short for a compaction, or not a session: ${skipped.map(escaped).join(', ')}</p>`}
</html>
`
}

function tableOf(round: number, compactors: readonly CompactorReport[]): string {
  const names = Object.keys(FIGURES)
  const rows = compactors.flatMap(({ name, isBaseline, rounds, cost }) => {
    const own = rounds.find((one) => one.round === round)
    if (own === undefined) return []
    const cells = names.map((figure) => `<td>${figureText(own.figures[figure])}</td>`).join('')
    return [
      `<tr${isBaseline ? ' class="baseline"' : ''}><td>${escaped(name)}</td>${cells}<td>${figureText(cost)}</td></tr>`,
    ]
  })
  return `<table><tr><th>compactor</th>${names.map((name) => `<th>${name}</th>`).join('')}<th>cost</th></tr>${rows.join('')}</table>`
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
