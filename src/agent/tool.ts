import type { z } from 'zod'
import type { Entry } from '../model/entry.ts'
import type { SeenFile } from '../model/facts/log-index.ts'
import type { JsonValue } from '../model/message/message.ts'
import type { UserWords } from '../model/message/user-words.ts'
import type { Todo } from '../model/todo.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

/** An action of a tool that permissions allow, ask about or refuse. */
export type PermissionRequest =
  | { readonly kind: 'read'; readonly path: string; readonly outside: boolean }
  | { readonly kind: 'edit'; readonly path: string; readonly outside: boolean; readonly diff?: string }
  /** `outside`: without the sandbox. */
  | { readonly kind: 'command'; readonly command: string; readonly outside?: boolean }
  /** A call of a tool of an MCP server, with its arguments for the user to see. */
  | { readonly kind: 'tool'; readonly tool: string; readonly input: string }

/** The result of a tool. `text` is the whole answer to the model; the view may show less of it. */
export type ToolOutput = {
  readonly text: string
  readonly isError?: boolean
  /** The files it read and wrote, as facts for the log. */
  readonly files?: readonly SeenFile[]
  /** A to-do list that is now the session's. */
  readonly todos?: readonly Todo[]
  readonly images?: readonly ToolImage[]
  /** What the user said instead of letting the call run. No tool may set this: what it prints is its own. */
  readonly userWords?: readonly UserWords[]
}

/** An image in a result, its bytes as Base64. */
export type ToolImage = { readonly data: string; readonly mediaType: string }

/** Everything that tools may touch arrives here. */
export type ToolContext = {
  /** Absolute, links resolved. */
  readonly workspace: string
  readonly signal: AbortSignal
  /** The wall around commands, where there is one. */
  readonly sandbox?: Sandbox
  /** Environment for commands, without the keys of providers. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The hash of a file (by its path as in `SeenFile`) as the agent knows it; undefined if it never saw it. */
  readonly seen: (path: string) => string | undefined
  /** Entries of this session's log, verbatim (`#12`, `#12-#20`), and where a text was said. */
  readonly recall: {
    readonly entries: (handles: string) => Promise<readonly Entry[]>
    readonly search: (text: string) => Promise<readonly { seq: number; turn: number; snippet: string }[]>
  }
  /**
   * The request of this call that was allowed. A tool edits nothing and touches nothing outside the workspace
   * that it does not cover: what was asked about is what is done, whatever has changed meanwhile.
   */
  readonly allowed?: PermissionRequest
  /** False for a file (by its path as in `SeenFile`) that a never rule keeps out of searches. */
  readonly mayRead?: (path: string) => boolean
  /** The most characters of one answer that the view shows whole; tools that can answer page by page keep to it. */
  readonly shownCharacters?: number
  /** Output as it comes, for a user who watches. */
  readonly onOutput?: (text: string) => void
}

/** A tool of the agent. */
export type Tool<Input = unknown> = {
  readonly name: string
  readonly description: string
  readonly input: z.ZodType<Input>
  /** The JSON Schema of the input, where somebody else wrote it. */
  readonly inputSchema?: JsonValue
  /** True when calls of it may run at the same time as others of this kind. */
  readonly parallel: boolean
  /** The action that needs a permission; undefined when it is harmless. */
  readonly permission: (input: Input, context: ToolContext) => Promise<PermissionRequest | undefined>
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutput>
}
