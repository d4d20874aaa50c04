import { callsOf, outputText, resultsOf } from '../../../model/message.ts'
import type { Item } from '../../../model/view.ts'
import { checkName, checkResult } from '../../facts/calls/check-result.ts'
import { commandText } from '../../facts/calls/command-text.ts'
import { gitFacts } from '../../facts/ledger/git-facts.ts'
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
      for (const { key, text, failed } of factsIn(command, ends(outputText(output)))) {
        // The last run counts, and stands where it was run.
        byKey.delete(key)
        byKey.set(key, {
          failed,
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

type Fact = { readonly key: string; readonly text: string; readonly failed: boolean }

function factsIn(command: string, output: string): Fact[] {
  const [commit] = gitFacts({ command, output, ok: undefined }, 0).commits ?? []
  if (commit !== undefined) {
    const { hash = 'a commit', branch, subject } = commit
    return [
      {
        key: `${hash} ${subject}`,
        text: `committed ${hash}${branch === undefined ? '' : ` on ${branch}`}: ${subject}`,
        failed: false,
      },
    ]
  }
  if (/\b(?:gh|glab)\b[^\n]*\b(?:pr|mr|issue|release)\s+create\b/.test(command)) {
    const url = /https:\/\/\S+/.exec(output)?.[0]
    if (url !== undefined) return [{ key: url, text: `opened ${url}`, failed: false }]
  }
  const result = checkResult(command, output)
  if (result === undefined) return []
  const name = checkName(command)
  return [{ key: name, text: `\`${clip(name, 60)}\`: ${result.lines.join(' · ')}`, failed: result.failed }]
}

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
