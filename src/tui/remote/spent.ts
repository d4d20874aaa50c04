import type { SpentReport } from '../port-data.ts'
import type { RemoteClient } from './client.ts'
import { entriesSchema, entryIn } from './shapes.ts'

/** What the calls of a session have used, from its whole log. The server knows prices, the log only what compactions cost. */
export async function spentOn(client: RemoteClient, path: string): Promise<SpentReport> {
  let report: SpentReport = {
    calls: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    outputTokens: 0,
    compactions: 0,
    compactionCost: 0,
  }
  for (let after = 0; ; ) {
    const page = `${path}/messages?only=all&limit=500&after=${after}`
    const { entries, more } = await client.ask(entriesSchema, 'GET', page)
    const log = entries.map(entryIn)
    for (const entry of log) report = added(report, entry)
    if (!more) return report
    after = log.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER
  }
}

function added(report: SpentReport, entry: ReturnType<typeof entryIn>): SpentReport {
  if (entry.type === 'message' && entry.usage !== undefined) {
    const { inputTokens, outputTokens, cacheReadTokens = 0 } = entry.usage
    return {
      ...report,
      calls: report.calls + 1,
      inputTokens: report.inputTokens + inputTokens,
      outputTokens: report.outputTokens + outputTokens,
      cacheReadTokens: report.cacheReadTokens + cacheReadTokens,
    }
  }
  if (entry.type !== 'compaction' && entry.type !== 'attempt') return report
  const compactions = report.compactions + (entry.type === 'compaction' ? 1 : 0)
  return { ...report, compactions, compactionCost: report.compactionCost + (entry.cost ?? 0) }
}
