import { callsOf, outputText, resultsOf } from '../../../model/message.ts'
import type { Item } from '../../../model/view.ts'
import { commandText } from '../../facts/calls/command-text.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import { withoutEscapes } from '../../text/without-escapes.ts'
import type { DatedSnippet } from './render-within.ts'

/** A result that a command itself reports; `failed` when it counts failures. */
export type Evidence = DatedSnippet & { readonly failed: boolean; readonly name: string }

/** Results that commands report: commits, the last run of each check, opened and published things. */
export function evidenceOf(items: readonly Item[]): Evidence[] {
  const commands = new Map<string, string>()
  const byKey = new Map<string, Evidence>()
  for (const item of items) {
    if (item.kind === 'summary') continue
    for (const call of callsOf(item.message)) {
      const command = commandOf(call.input)
      if (command !== undefined) commands.set(call.toolCallId, command)
    }
    for (const { toolCallId, output } of resultsOf(item.message)) {
      const command = commands.get(toolCallId)
      if (command === undefined) continue
      commands.delete(toolCallId)
      for (const { key, text } of factsIn(command, ends(outputText(output)))) {
        // The last run counts, and stands where it was run.
        byKey.delete(key)
        byKey.set(key, {
          failed: FAILED.test(text),
          name: key,
          seq: item.seq,
          priority: item.seq,
          render: (level) => `- ${handle(item.seq)} ${clip(text, Math.max(80, 200 - 30 * level))}`,
        })
      }
    }
  }
  return [...byKey.values()]
}

type Fact = { readonly key: string; readonly text: string }

function factsIn(command: string, output: string): Fact[] {
  if (/\bgit\b[^\n]*\bcommit\b/.test(command)) {
    const commit = COMMIT.exec(output)
    if (commit !== null) return [{ key: commit[2] ?? '', text: `committed ${commit[2]} on ${commit[1]}: ${commit[3]}` }]
  }
  if (/\b(?:gh|glab)\b[^\n]*\b(?:pr|mr|issue|release)\s+create\b/.test(command)) {
    const url = /https:\/\/\S+/.exec(output)?.[0]
    if (url !== undefined) return [{ key: url, text: `opened ${url}` }]
  }
  if (!CHECK.test(command)) return []
  const lines = output.split('\n').filter((line) => line.length < 300 && COUNTS.test(line))
  const last = lines.slice(-2).map((line) => line.trim())
  const name = checkName(command)
  return last.length === 0 ? [] : [{ key: name, text: `\`${clip(name, 60)}\`: ${last.join(' · ')}` }]
}

/** A command without what only says where it runs and how much of its output is shown: the same check has the same name. */
export function checkName(command: string): string {
  return command
    .slice(0, 2_000)
    .replace(/^(?:\s*#[^\n]*\n)+/, '')
    .replace(/^\s*(?:(?:cd\s+\S+|sleep\s+\S+)\s*(?:&&|;)\s*)+/, '')
    .replace(/\s*\|\s*(?:tail|head|grep|sed|awk|tee|cat|less)\b[\s\S]*$/, '')
    .replace(/\s+2>&1/g, '')
    .trim()
}

const COMMIT = /^\[([^\]\s]{1,100})(?: \([\w-]+\))? ([0-9a-f]{7,40})\] (.{1,300})$/m
const CHECK = /\b(?:test|tests|vitest|jest|pytest|mocha|playwright|check|lint|tsc|build|spec|ctest|verify|e2e)\b|:test/i
/** Lines in which checks of many languages count what passed and failed. */
const COUNTS =
  /\b\d+ (?:tests? )?(?:passed|passing|failed|failing|failures?|errors?|skipped|warnings?|problems?)\b|\b(?:Tests?|Test Suites|Test Files|Tests run):?\s+.*\d|^(?:ok|FAIL)\s+\S+\s|^(?:PASS|FAIL|OK)\b|\btest result: |\bBUILD (?:SUCCESS|FAIL)|\bRan \d+ tests?/

const FAILED =
  /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b|(?:^|\s)FAIL\b|timeout .* exceeded/

function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { command, cmd } = input as { command?: unknown; cmd?: unknown }
  return commandText(command ?? cmd)?.slice(0, 2_000)
}

/** Where programs say what came of it; megabytes between are not looked through. */
function ends(output: string): string {
  const text = output.length <= 12_000 ? output : `${output.slice(0, 4_000)}\n${output.slice(-8_000)}`
  return withoutEscapes(text)
}
