import { clip, handle, oneLine } from '../../../model/text.ts'
import type { CommandFact, ErrorFact, IdentifierFact, Index } from '../../../model/types.ts'
import { runName } from '../../extract/calls/check-result.ts'
import type { ErrorState } from '../../extract/error-state.ts'
import type { Failure, KnownIndex } from '../../extract/known-index.ts'
import { type KnownCommand, purposeOf, withoutRemarks } from '../../extract/ledger/command-kind.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, pathLine } from '../escape.ts'
import { isSlip, saidText } from './current-state.ts'
import type { RecordBlock } from './fit-blocks.ts'
import { HEADING, SECTION } from './section-titles.ts'

/** The exact texts that the next steps need: commands that passed, addresses and ids. Checks are listed with their results. */
export function nextStepBlocks(known: KnownIndex, narrative = ''): RecordBlock[] {
  return [commandsBlock(known.commands), addressesBlock(known.index), failedBlock(known, narrative)]
}

/** The newest of each kind, and others that did something: what each is for once. */
function commandsBlock(commands: readonly KnownCommand[]): RecordBlock {
  const byKind = new Map<string, CommandFact>()
  const others = new Map<string, CommandFact>()
  for (const { fact, check, kind } of commands) {
    if (fact.ok === false || check !== undefined) continue
    const isOther = kind === undefined && fact.ok === true
    const purpose = isOther ? purposeIn(fact) : undefined
    if (kind !== undefined) keepBetter(byKind, kind, fact)
    else if (purpose !== undefined) keepBetter(others, purpose, fact)
  }
  const used = [...others.values()].toSorted((a, b) => useRank(b) - useRank(a)).slice(0, MOST_OTHERS)
  return {
    section: SECTION.nextSteps,
    heading: HEADING.commands,
    snippets: [
      ...[...byKind].map(([kind, fact]) => commandSnippet(fact, kind)).toSorted(byPriority),
      ...used.map((fact) => commandSnippet(fact)).toSorted(byPriority),
    ],
    levels: COMMAND.length,
    tier: 1,
    least: 4,
    share: 14,
  }
}

/** An earlier record lists only commands that have a purpose. */
function purposeIn({ command, seq, listed }: CommandFact): string | undefined {
  return listed === undefined ? purposeOf(withoutText(command)) : runName(command, seq)
}

const MOST_OTHERS = 12
const COMMAND = [240, 140, 90] as const

function commandSnippet({ command, seq, ok }: CommandFact, kind?: string): Snippet {
  const label = kind === undefined ? '' : `${kind}: `
  const end = ok === true ? ` ok (${handle(seq)})` : ` (${handle(seq)}, its end is not known)`
  const text = withoutText(command)
  return {
    priority: kind === undefined ? seq - KINDS_FIRST : seq,
    render: (level) => `- ${label}${escaped(`\`${clip(text, COMMAND[level] ?? 90)}\``)}${end}`,
  }
}

/** More than any seq. */
const KINDS_FIRST = 1e9

function byPriority(a: Snippet, b: Snippet): number {
  return b.priority - a.priority
}

/** A command that was run again and again will be run again. */
function useRank({ seq, runs }: CommandFact): number {
  return seq + Math.min(runs, 4) * 50
}

function keepBetter(known: Map<string, CommandFact>, key: string, fact: CommandFact): void {
  const old = known.get(key)
  if (old === undefined || isBetter(fact, old)) known.set(key, fact)
}

/** A command that is known to have passed before one that is not, then the newer one. */
function isBetter(a: CommandFact, b: CommandFact): boolean {
  if ((a.ok === true) !== (b.ok === true)) return a.ok === true
  return a.seq > b.seq
}

/** A text that was given to a command, such as the body of a comment, is no part of how to run it, nor is a remark before it. */
function withoutText(command: string): string {
  return withoutRemarks(command)
    .replace(/\s(?:["']?\$\(cat\s*)?<<-?\s*['"]?\w+[\s\S]*$/, ' …')
    .replace(/\s--?(?:body|message|m)[ =]["'][\s\S]{60,}$/, ' …')
}

const MOST_ADDRESSES = 12
/** One of them leads to the others. */
const MOST_OF_HOST = 4

function addressesBlock(index: Index): RecordBlock {
  const known = index.identifiers.filter(isAddress)
  const urls = new Set(known.filter(({ kind }) => kind === 'url').map(({ text }) => text))
  const chosen = known
    .filter((fact) => !isToldBy(urls, fact) && !isPartOfId(index, fact))
    .toSorted((a, b) => rank(b) - rank(a))
    .filter(fewOfHost())
    .slice(0, MOST_ADDRESSES)
  return {
    section: SECTION.nextSteps,
    heading: HEADING.addresses,
    snippets: chosen.map((fact) => ({ priority: rank(fact), render: () => `${addressText(fact)},` })),
    levels: 1,
    tier: 2,
    least: 4,
    share: 6,
    layout: (lines) => [escaped(lines.join(' ').replace(/,$/, ''))],
  }
}

function fewOfHost(): (fact: IdentifierFact) => boolean {
  const counts = new Map<string, number>()
  return ({ kind, text }) => {
    const host = kind === 'url' ? text.split('/', 3).join('/') : text
    counts.set(host, (counts.get(host) ?? 0) + 1)
    return (counts.get(host) ?? 0) <= MOST_OF_HOST
  }
}

/** An address in more than one message matters later; an example is not an address. */
function isAddress({ kind, text, times = 1 }: IdentifierFact): boolean {
  if (kind === 'hash') return times > 1
  return (
    (kind === 'url' && !EXAMPLE.test(text)) ||
    (kind === 'port' && Number(text) < FIRST_PASSING_PORT) ||
    (kind === 'issue' && text.length <= 6)
  )
}

/** A port that an address has, an address that differs by its last slash. */
function isToldBy(urls: ReadonlySet<string>, { kind, text }: IdentifierFact): boolean {
  if (kind === 'port') return [...urls].some((url) => url.includes(`:${text}`))
  return kind === 'url' && text.endsWith('/') && urls.has(text.slice(0, -1))
}

/** A part of the id of a session in the paths of its files names nothing by itself. */
function isPartOfId({ files, commands }: Index, { kind, text }: IdentifierFact): boolean {
  const isPart = (whole: string) => whole.includes(`${text}-`) || whole.includes(`-${text}`)
  return kind === 'hash' && (files.some(({ path }) => isPart(path)) || commands.some(({ command }) => isPart(command)))
}

/** The system gives ports from here on to who asks for any. */
const FIRST_PASSING_PORT = 49_152

const EXAMPLE = /^https?:\/\/(?:[\w-]+\.)*example\.(?:com|org|net)\b/

function addressText({ kind, text }: IdentifierFact): string {
  const name = oneLine(text, 200)
  return kind === 'port' ? `port ${name}` : name
}

function rank({ seq, times = 1 }: IdentifierFact): number {
  return seq + Math.min(times, 6) * 50
}

/** Failures that are over: the newest of each command and of each text, those that took several tries first. */
function failedBlock({ failures, commands }: KnownIndex, narrative: string): RecordBlock {
  const byName = new Map<string, { failure: Failure; tries: number }>()
  for (const failure of failures) {
    const { error, isOpen } = failure
    if (isOpen || isSlip(error) || isNothing(error.command)) continue
    const name = error.command === undefined ? textName(error) : runName(error.command, error.seq)
    byName.set(name, { failure, tries: (byName.get(name)?.tries ?? 0) + 1 })
  }
  const failed = [...new Map([...byName.values()].map((one) => [textName(one.failure.error), one])).values()]
    .map(({ failure, tries }) => ({ failure, rank: rankOfTries(failure.error, tries) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MOST_FAILED)
    .toSorted((a, b) => b.failure.error.seq - a.failure.error.seq)
  const again = nextForSame(
    failed.map(({ failure }) => failure),
    commands,
  )
  return {
    section: SECTION.nextSteps,
    heading: HEADING.failed,
    snippets: failed.map(({ failure, rank: priority }) => ({
      priority,
      render: (level) => failedLine(failure, again.get(failure), level, narrative),
    })),
    levels: FAILED.length,
    tier: 2,
    least: 2,
    share: 12,
  }
}

/** A failure of an earlier record is listed as it was there: its text may be shortened, and one entry may have several. */
function textName({ command = '', text, seq, said, became }: ErrorFact): string {
  return became === undefined ? text : [handle(seq), command, text, said?.[0]?.text].join('\n')
}

function rankOfTries({ seq, said }: ErrorFact, tries: number): number {
  return seq + Math.min(tries, 4) * 50 + (said === undefined ? 0 : 100)
}

/** `cat …`: only a text was written. */
function isNothing(command = ''): boolean {
  return /^\w* ?…$/.test(withoutText(command).trim())
}

const MOST_FAILED = 10
const FAILED = [300, 180, 110] as const

function failedLine(
  { error, fate }: Failure,
  again: CommandFact | undefined,
  level: number,
  narrative: string,
): string {
  const characters = FAILED[level] ?? 110
  const { became } = error
  const command =
    became === undefined ? withoutText(error.command ?? '').replace(/^cd \S+ && /, '') : (error.command ?? '')
  const label = command === '' ? '' : `\`${clip(command, characters * 0.5)}\`: `
  const since = became ?? (again === undefined ? fateText(fate, characters * 0.5) : againText(again, characters * 0.5))
  return `- ${handle(error.seq)} ${escaped(`${label}${clip(error.text, characters * 0.6)}${saidText(error, characters * 0.6, narrative)}${since}`)}`
}

/** The next command for the same thing, if the result of a failure is not known. */
function nextForSame(
  failures: readonly Failure[],
  commands: readonly KnownCommand[],
): ReadonlyMap<Failure, CommandFact> {
  const asked = failures
    .filter(({ fate, error }) => fate.kind === 'open' && error.became === undefined)
    .map((failure) => ({ failure, purpose: purposeOf(withoutText(failure.error.command ?? '')) }))
    .filter(({ purpose }) => purpose !== undefined)
  const first = asked.reduce((least, { failure }) => Math.min(least, failure.error.seq), Number.POSITIVE_INFINITY)
  const ran = commands
    .filter(({ fact }) => fact.seq > first && fact.ok !== false)
    .map(({ fact }) => ({ fact, purpose: purposeOf(fact.command) }))
  const next = new Map<Failure, CommandFact>()
  for (const { failure, purpose } of asked) {
    const { command, seq } = failure.error
    const found = ran.find((one) => one.fact.seq > seq && one.fact.command !== command && one.purpose === purpose)
    if (found !== undefined && !/ --help\b/.test(found.fact.command)) next.set(failure, found.fact)
  }
  return next
}

function againText({ command, seq }: CommandFact, characters: number): string {
  return ` → then \`${clip(withoutText(command), characters)}\` (${handle(seq)})`
}

function fateText(state: ErrorState, characters: number): string {
  switch (state.kind) {
    case 'passed':
      return ` → passed later (${handle(state.seq)})`
    case 'fixed':
      return ` → \`${clip(withoutText(state.command), characters)}\` passed (${handle(state.seq)})`
    case 'changed':
      return ` → ${pathLine(state.path.split('/').slice(-2).join('/'))} was changed (${handle(state.seq)})`
    case 'open':
      return ''
  }
}
