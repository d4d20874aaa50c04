import { handle } from '../../../model/text.ts'
import type { Seq } from '../../../model/types.ts'

/** The lines in which a check counts what passed and failed. */
export type CheckResult = { readonly lines: readonly string[]; readonly failed: boolean }

/** The result that a test, a build or a linter prints, independent of its exit status; undefined if it prints no counts. */
export function checkResult(command: string, output: string): CheckResult | undefined {
  if (!CHECK.test(command)) return undefined
  const lines = output
    .split('\n')
    .filter((line) => line.length < 300 && (COUNTS.test(line) || BROKEN.test(line)))
    .slice(-2)
    .map((line) => line.trim())
  const failed = FAILED.test(lines.join(' · ')) || lines.some((line) => BROKEN.test(line))
  return lines.length === 0 ? undefined : { lines, failed }
}

/** The same for one run of it. A command that an earlier record shortened may be any: it has a name of its own. */
export function runName(command: string, seq: Seq): string {
  return command.endsWith('…') ? `${handle(seq)} ${command}` : checkName(command)
}

/** A command without its folder and its output filters, so that the same check has the same name. */
export function checkName(command: string): string {
  return command
    .slice(0, 2_000)
    .replace(/^(?:\s*#[^\n]*\n)+/, '')
    .replace(/^\s*(?:(?:cd\s+\S+|sleep\s+\S+)\s*(?:&&|;)\s*)+/, '')
    .replace(FILTERS, '')
    .replace(/\s+2>&1/g, '')
    .trim()
}

/** True if the exit status is that of a filter after the command: `npm test | tail` always succeeds. */
export function hidesExit(command: string): boolean {
  return FILTERS.test(command) && !/\bpipefail\b/.test(command)
}

const FILTERS = /\s*\|\s*(?:tail|head|grep|sed|awk|tee|cat|less)\b[\s\S]*$/
const CHECK = /\b(?:test|tests|vitest|jest|pytest|mocha|playwright|check|lint|tsc|build|spec|ctest|verify|e2e)\b|:test/i
/** Lines in which checks of many languages count passes and failures. */
const COUNTS =
  /\b\d+ (?:tests? )?(?:passed|passing|failed|failing|failures?|errors?|skipped|warnings?|problems?)\b|\b(?:Tests?|Test Suites|Test Files|Tests run):?\s+.*\d|^(?:ok|FAIL)\s+\S+\s|^(?:PASS|FAIL|OK)\b|\btest result: |\bBUILD (?:SUCCESS|FAIL)|\bRan \d+ tests?/
const FAILED =
  /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?|problems?)\b|(?:^|\s)FAIL\b|timeout .* exceeded/
/** A compiler prints the place of an error but no counts; npm reports that its script has failed. */
const BROKEN =
  /^\S+(?:\(\d+,\d+\)|:\d+(?::\d+)?): (?:fatal )?error\b|^error\[E\d+\]: |^npm (?:error|ERR!) (?:command failed|code )/
