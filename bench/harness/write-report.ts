import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { svgPlot } from './plot/svg-plot.ts'
import { plotFile, type Report, reportMarkdown, slugOf } from './report.ts'

/** Writes a report as JSON, Markdown and plots, and returns the Markdown. A run that failed leaves the last numbers in place. */
export function writeReport(report: Report, folder: string): string {
  const text = `${reportMarkdown(report)}\n`
  if (report.failure !== undefined) return text
  mkdirSync(folder, { recursive: true })
  const file = (ending: string) => join(folder, `${slugOf(report.name)}.${ending}`)
  writeFileSync(file('json'), `${JSON.stringify(report, null, 1)}\n`)
  writeFileSync(file('md'), text)
  for (const plot of report.plots ?? []) writeFileSync(join(folder, plotFile(plot)), svgPlot(plot))
  return text
}

/** Joins the kept reports of all benchmarks, also those of earlier runs, in one page. */
export function writeReadme(folder: string, benches: readonly Bench[]): void {
  const reports = benches.flatMap(({ name }) => {
    const path = join(folder, `${slugOf(name)}.json`)
    return existsSync(path) ? [JSON.parse(readFileSync(path, 'utf8')) as Report] : []
  })
  if (reports.length === 0) return
  writeFileSync(
    join(folder, 'README.md'),
    `${[INTRODUCTION, ...reports.map((one) => reportMarkdown(one, 2))].join('\n\n')}\n`,
  )
}

const INTRODUCTION = `# Measured, side by side

Pith, its peers and the physical limits on the same work, measured in one run. \`npm run bench\` writes this page. Rows that
Pith loses are not left out. Each benchmark runs alone too (\`npm run bench -- speed/open\`), and with
\`--transcripts FOLDER\` on your own recorded sessions. What readers know after a compaction, and what a session costs, was also [measured from outside](outside.md).`
