import type { Index } from '../../model/types.ts'
import { type KnownFiles, knownFiles } from './current-files.ts'
import { type Failure, failuresIn } from './failures.ts'
import { type KnownCommand, knownCommands } from './ledger/known-commands.ts'
import { type Ledger, ledgerOf } from './ledger/ledger-of.ts'

/** An index with everything derived from its facts: found once, and passed to each part of a record. */
export type KnownIndex = {
  readonly index: Index
  readonly files: KnownFiles
  readonly commands: readonly KnownCommand[]
  readonly failures: readonly Failure[]
  readonly ledger: Ledger
}

/** `before`: the result for an index with the same files, commands and commits. */
export function knownIndex(index: Index, before?: KnownIndex): KnownIndex {
  if (before !== undefined) return { ...before, index, failures: failuresIn(index, before.commands) }
  const files = knownFiles(index)
  const commands = knownCommands(index.commands)
  return { index, files, commands, failures: failuresIn(index, commands), ledger: ledgerOf(index, files, commands) }
}
