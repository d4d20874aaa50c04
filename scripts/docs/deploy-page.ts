import { markdownTable } from '../../bench/harness/markdown-table.ts'
import { pageWithBlocks } from './blocks.ts'
import { reportOf } from './results.ts'

/** docs/deploy.md: the load benchmark of the server, as it was measured last. */
export function deployPage(): string {
  const { date, tables } = reportOf('server/load')
  const parts = tables.map((table) => `${table.title}:\n\n${markdownTable(table)}`)
  const about = `Measured on ${date} with \`npm run bench -- server/load\`.`
  return pageWithBlocks('docs/deploy.md', { load: [about, ...parts].join('\n\n') })
}
