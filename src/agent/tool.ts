import { z } from 'zod'
import { PithError } from '../model/problems/errors.ts'
import { parse } from '../model/problems/parse.ts'
import type { Entry, JsonValue, SeenFile, Todo, UserWords } from '../model/types.ts'
import { NOTHING_FOUND } from '../search/hits.ts'
import type { ModelRequest, RequestAnswer } from '../session/model-requests.ts'
import type { EntriesOptions } from '../session/search/search-session.ts'
import type { FoundWithTasks } from '../session/tasks.ts'
import type { Permit } from './agent.ts'
import { abortCause } from './interruption.ts'
import type { JobOwner, Jobs } from './processes/jobs.ts'
import type { NeverRule, Sandbox } from './sandbox/sandbox.ts'

/** An action of a tool that permissions allow, ask about or refuse. */
export type PermissionRequest =
  | { readonly kind: 'read'; readonly path: string; readonly outside: boolean }
  | { readonly kind: 'edit'; readonly path: string; readonly outside: boolean; readonly diff?: string }
  | CommandRequest
  /** A call of a tool of an MCP server, with its arguments for the user to see. */
  | { readonly kind: 'tool'; readonly tool: string; readonly input: string }

export type CommandRequest = {
  readonly kind: 'command'
  readonly command: string
  /** Without the sandbox. */
  readonly outside?: boolean
  /** The secrets that it needs and that the sandbox hides (`~/.aws`). */
  readonly needs?: readonly string[]
  /** It ran once already, in the sandbox, and failed. */
  readonly again?: boolean
  /** The protected paths that it may write to in the sandbox, as patterns of `PROTECTED`. */
  readonly writes?: readonly string[]
}

/** The result of a tool. `text` is the whole answer to the model; the view may show less of it. */
export type ToolOutput = {
  readonly text: string
  readonly isError?: boolean
  /** The output of a command as it came, if the text has only what a terminal would show of it. */
  readonly raw?: string
  /** The call was not permitted, so it has done nothing. No tool may set this. */
  readonly isDenied?: boolean
  /** The files it read and wrote, as facts for the log. */
  readonly files?: readonly SeenFile[]
  readonly todos?: readonly Todo[]
  readonly images?: readonly ToolImage[]
  /** The user's words when they refused the call. No tool may set this, because its output is not from the user. */
  readonly userWords?: readonly UserWords[]
}

/** An image in a result, its bytes as Base64. */
export type ToolImage = { readonly data: string; readonly mediaType: string }

/** The effects and settings of tools. */
export type ToolContext = {
  /** Absolute, with links resolved. */
  readonly workspace: string
  readonly signal: AbortSignal
  readonly sandbox?: Sandbox
  /** The never rules, which the sandbox keeps for each command. */
  readonly never?: () => readonly NeverRule[]
  /** Environment for commands, without the keys of providers. */
  readonly env: Readonly<Record<string, string>>
  /** The hash of a file (by its path as in `SeenFile`) when the agent last saw it; undefined if it never did. */
  readonly seen: (path: string) => string | undefined
  /** Entries of this session's log or of its sub-agents, verbatim (`#12`, `#12-#20`, `task-1#3`), and a search for a text in all of them. */
  readonly recall: {
    readonly entries: (handles: string, options?: EntriesOptions) => Promise<readonly Entry[]>
    readonly search: (text: string) => Promise<FoundWithTasks>
  }
  /** The commands in the background, and the session that these calls belong to. */
  readonly jobs?: { readonly table: Jobs; readonly owner: JobOwner }
  /** Starts a sub-agent, and returns its report when it has ended. */
  readonly startTask?: (wish: TaskWish) => Promise<ToolOutput>
  /** Answers a request about the context of this session. */
  readonly request?: (request: ModelRequest) => Promise<RequestAnswer>
  /**
   * The allowed request of this call. Without one that covers it, a tool must not edit a file or touch a path outside of the
   * workspace. So a tool does only what was asked about, even if a path has changed in the meantime.
   */
  readonly allowed?: PermissionRequest
  /** Decides about something else that came up during a call, and asks the user if needed. */
  readonly permit?: (request: PermissionRequest) => Promise<Permit>
  /** False for a file (by its path as in `SeenFile`) that a never rule forbids to read: searches leave it out. */
  readonly mayRead?: (path: string) => boolean
  /** The most characters of an answer that the view shows in full. Tools that answer page by page stay within it. */
  readonly shownCharacters?: number
  /** True for a command that the user typed: it may open their editor. */
  readonly byUser?: boolean
  /** Gets the output as it arrives, for a user who watches. */
  readonly onOutput?: (text: string) => void
}

/** For tools that run without a session. */
export const NO_LOG: Pick<ToolContext, 'seen' | 'recall'> = {
  seen: () => undefined,
  recall: { entries: async () => [], search: async () => NOTHING_FOUND },
}

/** The work for a sub-agent. `read`: it has only the tools that read files and search. */
export type TaskWish = { readonly description: string; readonly prompt: string; readonly tools: 'read' | 'all' }

/** A tool of the agent. */
export type Tool<Input = unknown> = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** The JSON Schema of the input, if it comes from an MCP server. */
  readonly inputSchema?: JsonValue
  /** True if its calls may run at the same time as other parallel calls. */
  readonly parallel: boolean
  /** True if it changes the session's own context. It is offered only under a policy that allows this. */
  readonly changesContext?: true
  /** The action that needs a permission; undefined if it is harmless. */
  readonly permission: (input: Input, context: ToolContext) => Promise<PermissionRequest | undefined>
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutput>
}

/** An error of the file system in one line; undefined for any other error. */
export function fileError(error: unknown): string | undefined {
  const code = errorCode(error)
  if (code === undefined || !(error instanceof Error)) return undefined
  const path = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : ''
  return `${path}${TEXTS.get(code) ?? error.message}`
}

/** The code of a system error (`ENOENT`, …). */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z0-9]+$/.test(error.code)
    ? error.code
    : undefined
}

/** For reading what may not exist: `.catch(ifMissing)` makes it undefined. Other errors are thrown again. */
export function ifMissing(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}

const TEXTS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['ENOENT', 'no such file or folder'],
  ['ENOTDIR', 'a part of the path is a file, not a folder'],
  ['EEXIST', 'a part of the path is a file, not a folder'],
  ['EISDIR', 'is a folder'],
  ['ENOSPC', 'the disk is full: nothing was written'],
  ['EROFS', 'the file system is read-only: nothing was written'],
  ['ENAMETOOLONG', 'the path is too long'],
  ['EMFILE', 'too many files are open: try again'],
])

/** Wraps a tool for the loop: it accepts and checks any input, and expected errors become outputs instead of exceptions. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  const checked = (input: unknown): Input =>
    parse(tool.input, input, { what: tool.name, code: 'bad-argument', keys: keysOf(tool.input) })
  return {
    ...tool,
    permission: async (input, context) => {
      const { data, success } = tool.input.safeParse(input)
      // A call with a wrong input does nothing, so it needs no permission.
      return success ? tool.permission(data, context) : undefined
    },
    run: async (input, context) => {
      try {
        return await tool.run(checked(input), context)
      } catch (error) {
        return failure(error, context.signal)
      }
    },
  }
}

/** The answer of a tool that did not do its work. */
export function refused(text: string): ToolOutput {
  return { text, isError: true }
}

function failure(error: unknown, signal: AbortSignal): ToolOutput {
  if (error instanceof PithError) return refused(error.message)
  if (error instanceof Error && error.name === 'AbortError') return refused(`Cancelled ${abortCause(signal)}.`)
  const text = fileError(error)
  if (text === undefined) throw error
  return refused(text)
}

function keysOf(input: z.ZodType): string[] {
  return input instanceof z.ZodObject ? Object.keys(input.shape) : []
}
