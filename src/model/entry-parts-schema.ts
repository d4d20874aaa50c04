import { z } from 'zod'

export const seqSchema = z.number().int().nonnegative()
export const entryIdSchema = z.string().min(1)

export const todoSchema = z.strictObject({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'done', 'cancelled']),
})

export const fileStateSchema = z.string().nullable()

export const keptFileSchema = z.strictObject({
  /** Relative to the workspace, or absolute if outside. */
  path: z.string(),
  /** Absent if the content was not kept; `unkept` says why. */
  before: fileStateSchema.optional(),
  /** Absent if the change was still to come: the result of the call has the hash. */
  after: fileStateSchema.optional(),
  /** The permissions of the file before. */
  mode: z.number().int().nonnegative().optional(),
  unkept: z.string().optional(),
})

/** How the user's words answer a call: a question, a plan, a refused call, or a message that was typed while it ran. */
const replyKindSchema = z.enum(['answer', 'approval', 'rejection', 'meanwhile'])

export const userWordsSchema = z.strictObject({
  text: z.string(),
  /** Set for words in a tool's result. */
  reply: replyKindSchema.optional(),
  /** The question that they answer. */
  to: z.string().optional(),
})

export const changedCallSchema = z.strictObject({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: z.string(),
  input: z.unknown(),
})

export const usageSchema = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative().optional(),
  cacheWriteTokens: z.number().int().nonnegative().optional(),
  /** The tokens written to the cache that it keeps for an hour: Anthropic charges more for them. */
  cacheWriteHourTokens: z.number().int().nonnegative().optional(),
  reasoningTokens: z.number().int().nonnegative().optional(),
})

export const providerReductionSchema = z.strictObject({
  /** In the provider's words: `tool uses`, `thinking turns`, `compacted`. */
  what: z.string(),
  /** How many of them. */
  count: z.number().int().nonnegative().optional(),
  /** The tokens that it removed. */
  tokens: z.number().int().nonnegative().optional(),
})

export const toolSizeSchema = z.strictObject({
  name: z.string(),
  /** The server that the tool comes from; absent for the agent's own tools. */
  server: z.string().optional(),
  /** The estimated tokens of its definition. */
  tokens: z.number().int().nonnegative(),
})

export const promptSectionSchema = z.strictObject({
  /** Its heading, its element, or its first line. */
  title: z.string(),
  /** Its estimated tokens. */
  tokens: z.number().int().nonnegative(),
})

export const symbolFactSchema = z.strictObject({
  name: z.string(),
  first: seqSchema,
  last: seqSchema,
  was: z.boolean(),
  is: z.boolean(),
})

export const hunkSchema = z.strictObject({ seq: seqSchema, text: z.string() })

export const changeFactSchema = z.strictObject({
  path: z.string(),
  /** The last edit. */
  seq: seqSchema,
  edits: z.number().int().positive(),
  /** The last edit that wrote the whole file: a symbol that was last seen before it is gone. */
  whole: seqSchema.optional(),
  symbols: z.array(symbolFactSchema).optional(),
  renamed: z.array(z.strictObject({ seq: seqSchema, from: z.string(), to: z.string() })).optional(),
  /** The newest ones, in the order of the log. */
  hunks: z.array(hunkSchema).optional(),
})

export const statementFactSchema = z.strictObject({
  kind: z.enum(['answer', 'reason']),
  seq: seqSchema,
  text: z.string(),
  /** One more than the names in it that the agent used later, if there are any. */
  times: z.number().int().positive().optional(),
})

/** A summary that a model, the user or another agent wrote, as a later record may quote it. */
export const narrativeFactSchema = z.strictObject({ seq: seqSchema, text: z.string(), by: z.string().optional() })

/** A part of a record as the model sees it: one line, or the frame, which has no section. */
export const recordPartSchema = z.strictObject({
  section: z.string().optional(),
  heading: z.string().optional(),
  /** The entries that it comes from. */
  from: z.array(seqSchema),
  text: z.string(),
  /** The words of the agent or of a model: the user may rewrite them. */
  narrative: z.literal(true).optional(),
})

/** The time of the message, in milliseconds since 1970. */
const timeSchema = z.number()

export const fileFactSchema = z.strictObject({
  path: z.string(),
  access: z.enum(['read', 'modified', 'reverted', 'deleted']),
  seq: seqSchema,
  first: seqSchema.optional(),
  modified: seqSchema.optional(),
  created: seqSchema.optional(),
  /** It was reset to the text that git had. */
  reverted: seqSchema.optional(),
  deleted: seqSchema.optional(),
  /** The path that it was moved to when it was deleted. */
  to: z.string().optional(),
  /** It came from another path, `from`. */
  moved: seqSchema.optional(),
  from: z.string().optional(),
  /** A conflict was resolved with one side of the merge, `side`. */
  resolved: seqSchema.optional(),
  side: z.enum(['ours', 'theirs']).optional(),
  /** A sub-agent changed it, `by`. */
  delegated: seqSchema.optional(),
  by: z.string().optional(),
  /** The hash of its content when the agent last read or wrote it. */
  hash: z.string().optional(),
})

/** The folder that git ran in, if the command shows it: commits in another repository say nothing about this one. */
const repository = { folder: z.string().optional() }
const place = {
  /** The number of commits that the same command line made before. */
  after: z.number().int().positive().optional(),
  ...repository,
}

export const commitFactSchema = z.strictObject({
  seq: seqSchema,
  /** Absent if git did not print it (`git commit -q`). */
  hash: z.string().optional(),
  branch: z.string().optional(),
  subject: z.string(),
  /** It replaces the commit before it. */
  amended: z.literal(true).optional(),
  ...repository,
})

export const gitFactSchema = z.discriminatedUnion('kind', [
  /** These paths go into the next commit; an empty list means all of them. */
  z.strictObject({
    kind: z.literal('staged'),
    seq: seqSchema,
    paths: z.array(z.string()),
    /** Only the files that git knows already. */
    tracked: z.literal(true).optional(),
    ...place,
  }),
  /** Git listed these files as uncommitted; `whole`: and no others are. */
  z.strictObject({
    kind: z.literal('status'),
    seq: seqSchema,
    paths: z.array(z.string()),
    whole: z.literal(true).optional(),
    ...repository,
  }),
  /** Git listed these files as part of a commit. */
  z.strictObject({ kind: z.literal('shown'), seq: seqSchema, paths: z.array(z.string()), ...repository }),
  z.strictObject({ kind: z.literal('ignored'), seq: seqSchema, paths: z.array(z.string()), ...repository }),
  /** Commits were replaced by others: their hashes may be gone. A reset takes back the commits after its target. */
  z.strictObject({
    kind: z.literal('rewritten'),
    seq: seqSchema,
    /** Only the newest ones, if git says how many. */
    commits: z.number().int().positive().optional(),
    reset: z
      .strictObject({
        mode: z.enum(['soft', 'mixed', 'hard']),
        /** How many commits it takes back, or the hash that it goes back to; neither if the command does not show it. */
        commits: z.number().int().positive().optional(),
        to: z.string().optional(),
      })
      .optional(),
    ...place,
  }),
  /** The staged files went into a commit of which the log shows no hash and no subject. */
  z.strictObject({ kind: z.literal('took'), seq: seqSchema, ...place }),
  /** The newest commits as git listed them. */
  z.strictObject({
    kind: z.literal('logged'),
    seq: seqSchema,
    commits: z.array(z.strictObject({ hash: z.string(), subject: z.string() })),
    ...repository,
  }),
  z.strictObject({ kind: z.literal('pushed'), seq: seqSchema, branch: z.string().optional() }),
  /** A pull request, an issue or a release. */
  z.strictObject({ kind: z.literal('opened'), seq: seqSchema, url: z.string() }),
  z.strictObject({ kind: z.literal('stashed'), seq: seqSchema, ...place }),
  z.strictObject({ kind: z.literal('unstashed'), seq: seqSchema, ...place }),
])

export const seenFileSchema = fileFactSchema.pick({ path: true }).extend({
  access: z.enum(['read', 'modified', 'deleted']),
  hash: z.string().optional(),
  /** The sub-agent that changed it. */
  by: z.string().optional(),
})

export const commandFactSchema = z.strictObject({
  command: z.string(),
  seq: seqSchema,
  runs: z.number().int().positive(),
  ok: z.boolean().optional(),
  exit: z.number().int().optional(),
  /** The numbers that the last run printed, if it ran tests. */
  tests: z.strictObject({ passed: z.number().int().nonnegative(), failed: z.number().int().nonnegative() }).optional(),
  /** The folder that it ran in, if the call names it. */
  folder: z.string().optional(),
})

export const errorFactSchema = z.strictObject({
  text: z.string(),
  seq: seqSchema,
  command: z.string().optional(),
  /** The folder that the command ran in, if the call names it. */
  folder: z.string().optional(),
  /** The file of the failed call. */
  path: z.string().optional(),
  /** The entry of the call that command and path come from. */
  call: seqSchema.optional(),
})

export const todoFactSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('list'), seq: seqSchema, items: z.array(todoSchema) }),
  z.strictObject({
    kind: z.literal('change'),
    seq: seqSchema,
    id: z.string(),
    text: z.string().optional(),
    status: todoSchema.shape.status.optional(),
  }),
])

export const constraintFactSchema = z.strictObject({ text: z.string(), seq: seqSchema, at: timeSchema.optional() })

export const identifierFactSchema = z.strictObject({
  /** `name` is a name as in code. */
  kind: z.enum(['url', 'port', 'version', 'hash', 'issue', 'name']),
  text: z.string(),
  seq: seqSchema,
  /** The number of messages that contain it, if more than one. */
  times: z.number().int().positive().optional(),
})

/** A line that a tool printed, word for word: it states a value that may be needed again. Never the user's word. */
export const printedLineSchema = z.strictObject({
  text: z.string(),
  /** The entry of the result. */
  seq: seqSchema,
  /** The name of the file that was read, and the entry of the call that names it. */
  file: z.string().optional(),
  call: seqSchema.optional(),
  /** How often it was printed or used later, if more than once. */
  times: z.number().int().positive().optional(),
})

export const userFactSchema = z.strictObject({
  seq: seqSchema,
  text: z.string(),
  length: z.number().int().nonnegative().optional(),
  at: timeSchema.optional(),
  /** Set if it was said in a result: the answer to a question, the decision on a plan, why a call was not allowed, a message typed meanwhile. */
  reply: replyKindSchema.optional(),
  /** The call or the question that a reply is about, and the entry of the question. */
  to: z.string().optional(),
  asked: seqSchema.optional(),
})

/** The effect of one call on an instruction file, or on what the agent knows of it. The words are those of the file, never the user's. */
export const instructionFileSchema = z.strictObject({
  path: z.string(),
  /** The entry that has the text. */
  seq: seqSchema,
  /** The entry of the call that names the path, if it is another one. */
  call: seqSchema.optional(),
  /**
   * `read`: the whole file. `part`: some lines of it. `printed`: the output of a command that printed it among other things.
   * `written`: a tool wrote the whole file. `edited`: a tool replaced pieces of it. `shown`: the view after a record has it.
   */
  how: z.enum(['read', 'part', 'printed', 'written', 'edited', 'shown']),
  /** Absent if the file is only named. */
  text: z.string().optional(),
  /** The full length of the text, if it was shortened. */
  length: z.number().int().positive().optional(),
  pieces: z.array(z.strictObject({ before: z.string(), after: z.string() })).optional(),
})

export const indexSchema = z.strictObject({
  files: z.array(fileFactSchema),
  users: z.array(userFactSchema),
  /** Texts in the user's role that nobody is known to have typed: attached files, words of programs and of unknown clients. */
  inRole: z.array(userFactSchema).optional(),
  /** System messages inside the conversation. */
  instructions: z.array(userFactSchema).optional(),
  /** Files with instructions that the agent read. */
  instructionFiles: z.array(instructionFileSchema).optional(),
  constraints: z.array(constraintFactSchema),
  commands: z.array(commandFactSchema),
  errors: z.array(errorFactSchema),
  todos: z.array(todoFactSchema),
  identifiers: z.array(identifierFactSchema),
  /** The effects of the edits of each file on its text. */
  changes: z.array(changeFactSchema).optional(),
  commits: z.array(commitFactSchema).optional(),
  git: z.array(gitFactSchema).optional(),
  /** The agent's words, paragraph by paragraph. */
  statements: z.array(statementFactSchema).optional(),
  /** The newest summary of each author. */
  narratives: z.array(narrativeFactSchema).optional(),
  printed: z.array(printedLineSchema).optional(),
  /** The files of a record that shows nothing else (`indexFacts: files`), including those of its tail. */
  listed: z.array(fileFactSchema).optional(),
  /** How many messages of the user were not stored because there was no room for them. The log still has them. */
  leftOut: z.strictObject({ users: z.number().int().nonnegative() }).optional(),
})

export const indexDeltaSchema = indexSchema.partial()
