import type { CommandFact, IdentifierFact, Index } from '../../../model/log-index.ts'
import { otherKind } from '../../facts/ledger/command-kind.ts'
import { clip } from '../../text/clip.ts'
import { handle } from '../../text/handle.ts'
import { oneLine } from '../../text/one-line.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped } from '../escape.ts'
import type { Block } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** What is needed to go on, letter for letter: the newest passing command of each kind, addresses and ids. Checks are told with how they ended. */
export function onwardBlocks(index: Index): Block[] {
  return [commandsBlock(index), addressesBlock(index)]
}

function commandsBlock(index: Index): Block {
  const byKind = new Map<string, CommandFact>()
  for (const fact of index.commands) {
    const kind = fact.ok === false ? undefined : otherKind(fact.command)
    if (kind === undefined) continue
    const known = byKind.get(kind)
    if (known === undefined || isBetter(fact, known)) byKind.set(kind, fact)
  }
  const snippets = [...byKind].map(
    ([kind, { command, seq, ok }]): Snippet => ({
      priority: seq,
      render: (level) =>
        `- ${kind}: ${escaped(`\`${clip(withoutText(command), [240, 140, 90][level] ?? 90)}\``)} (${handle(seq)}${ok === true ? '' : ', its end is not known'})`,
    }),
  )
  return {
    section: SECTION.onward,
    heading: HEADING.commands,
    snippets: snippets.toSorted((a, b) => b.priority - a.priority),
    levels: 3,
    tier: 1,
    least: 4,
    share: 10,
  }
}

/** A command that is known to have passed before one that is not, then the newer one. */
function isBetter(a: CommandFact, b: CommandFact): boolean {
  if ((a.ok === true) !== (b.ok === true)) return a.ok === true
  return a.seq > b.seq
}

/** A text that was given to a command, such as the body of a comment, is no part of how to run it. */
function withoutText(command: string): string {
  return command
    .replace(/\s(?:["']?\$\(cat\s*)?<<-?\s*['"]?\w+[\s\S]*$/, ' …')
    .replace(/\s--?(?:body|message|m)[ =]["'][\s\S]{60,}$/, ' …')
}

const MOST_ADDRESSES = 8

function addressesBlock(index: Index): Block {
  const chosen = index.identifiers
    .filter(({ kind, text }) => kind === 'url' || kind === 'port' || (kind === 'issue' && text.length <= 6))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, MOST_ADDRESSES)
  return {
    section: SECTION.onward,
    heading: HEADING.addresses,
    snippets: chosen.map((fact) => ({ priority: rank(fact), render: () => `${addressText(fact)},` })),
    levels: 1,
    tier: 2,
    least: 4,
    share: 4,
    layout: (lines) => [escaped(lines.join(' ').replace(/,$/, ''))],
  }
}

function addressText({ kind, text }: IdentifierFact): string {
  const name = oneLine(text, 200)
  return kind === 'port' ? `port ${name}` : name
}

function rank({ seq, times = 1 }: IdentifierFact): number {
  return seq + Math.min(times, 6) * 50
}
