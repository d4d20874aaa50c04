import { describe, expect, it } from 'vitest'
import {
  calledName,
  callsText,
  largestTools,
  requestCostText,
  toolReport,
  unusedTools,
  usedText,
} from '../../../src/engine/report/tool-report.ts'

const tools = [
  { name: 'Bash', tokens: 1_000 },
  { name: 'Edit', tokens: 2_000 },
  { name: 'mcp__pith__recall', server: 'pith', tokens: 500 },
]

describe('a report of tools', () => {
  it('has the tokens and the cost of each request by server, and the tools that were never used', () => {
    const report = toolReport(tools, { calls: new Map([['Edit', 3]]), prices: { input: 10, output: 50, cacheRead: 1 } })
    expect(report).toMatchObject({
      tokens: 3_500,
      cost: 0.035,
      cachedCost: 0.0035,
      servers: [
        {
          tokens: 3_000,
          tools: [
            { name: 'Edit', calls: 3, cost: 0.02, cachedCost: 0.002 },
            { name: 'Bash', calls: 0 },
          ],
        },
        { server: 'pith', tokens: 500, cost: 0.005, tools: [{ name: 'mcp__pith__recall', calls: 0 }] },
      ],
    })
    if (report === undefined) throw new Error('there is no report')
    expect(unusedTools(report)).toEqual(['Bash', 'mcp__pith__recall'])
    expect(report.servers.map(usedText)).toEqual(['2 tools, 1 used', '1 tool, never used'])
    expect(requestCostText(report)).toContain('cached')
    expect(largestTools(report, 2).map((one) => `${one.name} ${callsText(one)}`)).toEqual([
      'Edit 3 calls',
      'Bash never used',
    ])
  })

  it('has no cost without prices, and is missing without tools', () => {
    expect(requestCostText(toolReport(tools, { calls: new Map() }) ?? {})).toBe('')
    expect(toolReport(undefined, { calls: new Map() })).toBeUndefined()
    expect(toolReport([], { calls: new Map() })).toBeUndefined()
  })

  it('knows a call by its namespace', () => {
    const providerOptions = { openai: { namespace: 'mcp__pith' } }
    expect(calledName({ toolName: 'recall', providerOptions })).toBe('mcp__pith/recall')
    expect(calledName({ toolName: 'Bash', providerOptions: undefined })).toBe('Bash')
  })
})
