import { PARTS, REPORT_ROWS } from '../figures.ts'
import type { Examples } from '../measure.ts'
import type { CompactorReport, EvalReport } from '../run-eval.ts'
import { curveBlock, headlineBlock, type ReportBlock, roundBlocks, settingsLine } from './report-text.ts'

/** A report as one page that needs no other file, for somebody who reads about all this for the first time. */
export function reportPage(report: EvalReport, curve: readonly EvalReport[] = []): string {
  const { sets, compactors } = report
  const blocks = roundBlocks(report, false)
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>pith eval</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;display:block;overflow-x:auto}td,th{padding:.25rem .6rem;border-bottom:1px solid #8885;text-align:right;white-space:nowrap}td:first-child,th:first-child{text-align:left}td+td,th+th{min-width:7.5rem}th{white-space:normal}td[style]{background:linear-gradient(to right,#3b82f655 var(--share),#8881 0)}.baseline{opacity:.65}</style>
<h1>What is left of long coding sessions</h1>
<p>A coding agent sends its whole conversation to the model with every request. When the conversation no longer fits, a <b>compactor</b> makes it short, and the session goes on; some hours later it happens again. Each compactor below did this with the same sessions, at the same places and with the same number of tokens allowed. After every compaction the program counted how much of what the session had shown is still in the short conversation: letter for letter, and without a model that judges. The questions were written down before any compactor ran.</p>
<p><b>Plain selection</b> is the opponent of all others: a page of code that picks lines by a fixed value. A compactor that it beats is not worth its trouble. <b>Tail only</b> keeps the newest messages; <b>names only</b> lists names without a word about them, and should be worth nothing.</p>
<p>${escaped(settingsLine(report))}</p>
${tableOf(headlineBlock(report), compactors)}
${curve.length === 0 ? '' : tableOf(curveBlock(curve), compactors)}
<h2>What the rows mean</h2>
<ul><li><b>valid</b>, <b>fits</b>, <b>invented</b>: would four providers take the messages; are they within the target and the messages not answered yet, with 10 % for the estimate; do they name a file, address or hash that the session does not have. What fails here is not worth its figures.</li>${meanings(REPORT_ROWS)}<li>“–”: nothing was asked, or nothing was stated.</li></ul>
${blocks.map((block) => tableOf(block, compactors)).join('\n')}
<details><summary>All figures that the rows are made of</summary>
<ul>${meanings(PARTS)}</ul>
${roundBlocks(report, true)
  .map((block) => tableOf(block, compactors))
  .join('\n')}
</details>
<h2>What next</h2>
<p>Begin with the lowest row of your compactor: the lists below show what it lost or said wrongly (20 at most of each; the others are not listed). Then measure it on sessions of your own, with <code>--sessions</code>.</p>
<h2>Compactors</h2>
<ul>${compactors.map(({ name, from, failures }) => `<li>${escaped(name)}: ${escaped(from)}${failures.length === 0 ? '' : `; failed compactions: ${failures.length}, first: ${escaped(failures[0]?.why ?? '')}`}</li>`).join('')}</ul>
${Object.entries(EXAMPLES)
  .map(([what, title]) => `<h2>${title}</h2>\n<ul>${examplesOf(what as keyof Examples, compactors)}</ul>`)
  .join('\n')}
<h2>Sessions</h2>
<p>The sessions that are called made up come from a generator that the authors of Pith wrote; recorded ones are real. Where the two disagree, believe the recorded ones.</p>
<ul>${sets.flatMap(({ sessions }) => sessions.map(({ name, hash, messages, cuts }) => `<li>${escaped(name)} <code>${hash}</code>: ${messages} messages, ${cuts.length} compactions</li>`)).join('')}</ul>
${sets.flatMap(({ skipped }) => skipped.map((line) => `<p>Left out: ${escaped(line)}</p>`)).join('\n')}
</html>
`
}

function meanings(all: Readonly<Record<string, string>>): string {
  return Object.entries(all)
    .map(([name, what]) => `<li><b>${escaped(name)}</b>: ${escaped(what)}</li>`)
    .join('')
}

/** A share is drawn as a bar behind its number, so that a row can be compared at a glance. */
function tableOf({ title, rows, notes }: ReportBlock, compactors: readonly CompactorReport[]): string {
  const cell = (tag: 'td' | 'th', text: string, at: number) => {
    const share = /^[01]\.\d\d$/.test(text) ? ` style="--share:${Number(text) * 100}%"` : ''
    return `<${tag}${compactors[at - 1]?.isBaseline ? ' class="baseline"' : ''}${share}>${escaped(text)}</${tag}>`
  }
  const row = (tag: 'td' | 'th', cells: readonly string[]) =>
    `<tr>${cells.map((text, at) => cell(tag, text, at)).join('')}</tr>`
  const head = row('th', ['', ...compactors.map(({ name }) => name)])
  const paragraphs = notes.map((note) => `<p>${escaped(note)}</p>`).join('')
  return `<h2>${escaped(title)}</h2>\n<table>${head}${rows.map((cells) => row('td', cells)).join('')}</table>${paragraphs}`
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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
