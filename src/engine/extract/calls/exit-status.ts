/**
 * The exit status in the text of a command's result, where an agent writes it: in the lines that it puts before or
 * behind the output, never inside. The lines of all agents are tried, because a result does not say whose it is.
 */
export function exitStatus(text: string): number | undefined {
  return exitBefore(text) ?? exitBehind(text)
}

/** True for a line in which an agent frames the output: it says nothing about what went wrong. */
export function isFrame(line: string): boolean {
  return MAY_BE_FRAME.test(line) && ALL_FRAMES.some((pattern) => pattern.test(line))
}

/** Each with the agent that writes it before the output. */
const BEFORE: readonly RegExp[] = [
  /^Exit code:? (-?\d{1,10})$/i, // Claude Code (errors), Codex (apply_patch, shell)
  /^Process exited with code (-?\d{1,10})$/, // Codex (exec_command)
  /^<returncode>(-?\d{1,10})<\/returncode>$/, // mini-SWE-agent
  /^<exit_code>(-?\d{1,10})<\/exit_code>$/, // Claude Code (TaskOutput, BashOutput)
]

/** Each with the agent that writes it behind the output. */
const BEHIND: readonly RegExp[] = [
  /^(?:\[?Command )?exited with (?:exit )?code:? (-?\d{1,10})\]?$/i, // pi
  /^\[(?:The command completed|Command finished) with exit code (-?\d{1,10})\.?\]$/, // OpenHands
  /^<(?:shellId: \S{1,20} )?(?:completed|exited) with exit code (-?\d{1,10})>$/, // Copilot CLI
  /^[[(]?exit(?:[ _]code|[ _]status)?[:=]? (-?\d{1,10})[\])]?$/i, // Gemini CLI, ours; `Exit status 1` is pnpm's last line
]

const FRAMES: readonly RegExp[] = [
  /^(?:Chunk ID|Wall time|Original token count|Total output lines|Process running with session ID)\b/,
  /^(?:Output|Command|Directory|Stdout|Stderr|Error|Signal|Background PIDs|Process Group PGID):(?: \(none\)| \(empty\))?$/,
  /^(?:Signal|Background PIDs|Process Group PGID): /,
  /^\[(?:Current working directory|Python interpreter): /,
  /^<\/?(?:output|retrieval_status|task_id|task_type|status|stdout|stderr|bash_metadata|untrusted_context)>/,
  /^\((?:Open file|Current directory): .*\)$|^bash-\$$/,
]

const ALL_FRAMES = [...BEFORE, ...BEHIND, ...FRAMES]

/** Matches the beginning of any of them; most lines are none. */
const MAY_BE_FRAME =
  /^(?:[[(<]|exit|process|command|chunk|wall|original|total|output|directory|std|error|signal|background|bash)/i

const LINES_BEFORE = 12
const LINES_BEHIND = 6
const LONGEST_FRAME = 400

function exitBefore(text: string): number | undefined {
  let start = 0
  for (let count = 0; count < LINES_BEFORE && start < text.length; count++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const line = text.slice(start, Math.min(end, start + LONGEST_FRAME)).trim()
    if (line !== '' && !MAY_BE_FRAME.test(line)) return undefined
    const status = matched(BEFORE, line)
    if (status !== undefined) return status
    // Behind the last line that an agent writes the output of the command begins.
    if (/^(?:Output:|<output>)/.test(line) || (line !== '' && !FRAMES.some((frame) => frame.test(line))))
      return undefined
    start = end + 1
  }
  return undefined
}

function exitBehind(text: string): number | undefined {
  let end = text.length
  for (let count = 0; count < LINES_BEHIND && end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const line = text.slice(Math.max(start, end - LONGEST_FRAME), end).trim()
    if (line !== '' && !MAY_BE_FRAME.test(line)) return undefined
    const status = matched(BEHIND, line)
    if (status !== undefined) return status
    if (line !== '') {
      if (!FRAMES.some((frame) => frame.test(line))) return undefined
      count++
    }
    end = start - 1
  }
  return undefined
}

function matched(patterns: readonly RegExp[], line: string): number | undefined {
  for (const pattern of patterns) {
    const status = pattern.exec(line)?.[1]
    if (status !== undefined) return Number(status)
  }
  return undefined
}
