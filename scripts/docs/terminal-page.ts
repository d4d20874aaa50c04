import { KEYS } from '../../src/tui/commands/help.ts'
import { COMMANDS } from '../../src/tui/commands/index.ts'
import { code, GENERATED, page, table } from './markdown.ts'

/** docs/terminal.md: the commands and keys as `/help` lists them. */
export function terminalPage(): string {
  const commands = COMMANDS.map(({ name, takes, about }) => [
    code(`/${name}${takes === undefined ? '' : ` ${takes}`}`),
    about.replaceAll('<', '&lt;'),
  ])
  return page(
    GENERATED,
    '# The terminal agent',
    INTRODUCTION,
    `## Commands\n\n${table(['command', 'what it does'], commands)}`,
    `## Keys\n\n${table(
      ['key', 'what it does'],
      KEYS.map(([key, about]) => [key.replaceAll('\\', '\\\\'), about]),
    )}`,
    HANDLES,
    ATTACHMENTS,
    REWIND,
    MCP,
    FILES,
    PERMISSIONS,
    BESIDE,
  )
}

const INTRODUCTION = `\`pith\` in a folder starts a session there; \`pith --continue\` goes on with the last one, \`pith --resume\` lists them all, \`pith --session ID\` opens any. Without a model it offers a bundled session to
try things on.

A session belongs to the folder that it was started in. If you open one of another folder, you are asked: go to its folder, or continue here as a fork, which leaves the session and the files of the other folder
as they are. If that folder does not exist any more, only the fork is offered.

\`\`\`
› What is left before 2.4.0?  #123
● bash npm test · #125 · 27 lines, 1.0 kB
  … 24 earlier lines, Ctrl+O shows them
  Tests  35 passed
  …
────────────────────────────────────────────────────────────────────────────────────────────────────
/compact
────────────────────────────────────────────────────────────────────────────────────────────────────
offline · ask, sandbox           ███████░░░ 74.45% 15.2k of 20.5k · type /compact to free up context

  Context compacted.
  ✓ Compacted 98 messages
    Tokens: 15247 → 6887 (saved 8360)
    digest, without a model · Ctrl+O shows the summary
\`\`\`

The record tells when something was said, so its tokens differ by a few from run to run. The bar is how full the context is: what the provider last reported, and an estimate of what came after. It compacts by itself before the window is full, and says so;
\`/policy mode ask\` asks you first, \`/policy mode off\` never does it. Esc cancels a compaction and leaves everything as it was, \`/undo\` takes it back later. What
you type meanwhile stays in the input.`

const REWIND = `## Going back

\`/rewind\` and Esc Esc go back to before a message: the conversation, the files, or both. The diff is one key away. A conversation goes back in a fork, over compactions
too; the session itself stays as it is. \`/undo\` takes back whichever came last, a compaction or a rewind of files.

Before \`write\` and \`edit\` change a file, its content is kept in Pith's data folder (\`checkpoints\`, readable by you alone), and the log names it by its hash. Before and
after a command all files of the workspace are compared. Your git repository is never touched. A file that you or another program changed after the agent is not
overwritten unasked, and whatever a rewind replaces is kept first. What a command changed before Pith was killed is found at the next start, and asked about.

Not kept, and therefore not set back: what commands do to files that \`.gitignore\` names, to files of more than 8 MB, outside of the workspace, or in a workspace of more
than 20,000 files; links, empty folders, and what a process in the background does after its command. Changes that you make while a command runs count as the command's.
What cannot be set back is named. \`checkpoint_mb\` (500) bounds the folder: the sessions that have kept nothing for the longest time lose their contents first, and a
session that is deleted takes its own along. \`/redact\` deletes the kept contents, of every session, that have the redacted text or a word of it that looks like a secret, and
says how many; a file of the workspace that still has it is kept anew when a command runs, so change the file first. With \`--server\` the files are on the server, and only the conversation goes back.
In a fork of a session of another folder, only files that were changed in this folder go back.`

const HANDLES = `## Numbers, keys, bells

Every message, answer and result has its number behind it (\`#12\`): \`/recall #12\`, \`/copy #12\`, \`/pin #12\`, \`/redact #12\`, \`/fork #12\` and \`/rewind #12\` take it.

\`/model\` with a model whose provider has no key asks for the key. It is not drawn while you type or paste it, is in no history and no log, and goes into your configuration file
(\`providers.NAME.api_key\`), which then only you can read. A variable such as \`ANTHROPIC_API_KEY\` works too; \`pith config unset providers.NAME.api_key\` takes the key out again.

The terminal rings when it asks and when a turn of ten seconds or more has ended. \`notify: desktop\` in the configuration also sends a notification (OSC 9), \`notify: off\` is silent.`

const ATTACHMENTS = `## Files and images in a message

\`@src/a.ts\` attaches the content of a file (Tab completes the name, \`@"two words.txt"\` has quotes), \`@shot.png\` an image; the path of an image that you paste or drop on the terminal
does the same. PNG, JPEG, GIF and WebP of at most 5 MB are shown to the model, also when it reads one by itself. A long file is attached as far as one answer of \`read\` goes, and the
model is told how to go on. An attached file counts as read: the agent may edit it. A model that takes no images gets a line in their place, and you are told. Images are counted as about 1,200
tokens until the provider has counted them; a compaction leaves their handle, and \`recall\` shows them again. With \`--server\` a name stays a name.`

const MCP = `## MCP servers

The agent gets the tools of the servers under [\`mcp\`](configuration.md#mcp) in the configuration, and of the project's \`.mcp.json\`, as \`server__tool\`. A server is a program that talks
over standard input and output (\`command\`), or an address that talks streamable HTTP (\`url\`). The servers of a \`.mcp.json\` are programs that somebody else chose, and they run
outside of the sandbox: you are shown the whole command with its arguments in quotes, its folder, the variables that it sets, the address and the headers, and asked once for each text of the
file. Any change of it is asked about again, and so is a yes that 0.2 stored, because its question showed less. \`\${NAME}\` is shown as it is written, with a note that it comes from your
environment; its value is neither shown nor stored. The answer is for the file, not for the programs that it names: a script of the project can change later. \`pith run\` cannot ask, and starts
only servers that you said yes to in the terminal. \`/mcp\` lists servers with their state, their tools, what these take of the context, and errors.

Each call is asked about like a command, unless the mode is \`full\` or a rule says otherwise (\`tool: docs__*\`). Rules for paths do not reach into a server: what its program reads and writes
is its own affair. A long result is shown in part and can be recalled; images in results reach models that can see. Esc ends a call. A server that hangs costs the time of its call
(\`timeout_ms\`), one that dies is started again by the next call, and neither stops the agent. Not supported: the old SSE transport, OAuth (set \`headers\`), prompts, resources and sampling.`

const FILES = `## Files it reads

\`AGENTS.md\` (instructions; where there is none, \`CLAUDE.md\`) and \`MEMORY.md\` (facts), yours from the configuration folder first, then those of the workspace. They go
into every request from the file, so no compaction can lose them; a change counts from the next request on. \`--no-instructions\` leaves \`AGENTS.md\` out.
In a folder of the workspace, the files on the way down to where you started count too. Those of other folders are not loaded: the model is told their names, and to read one before
it changes anything there. The first lines of the screen say which are loaded and which are not. Four levels of folders are looked at, 500 folders at most, and none of
\`node_modules\`, \`vendor\` or what builds make.

Files of the workspace that are read without being asked for (these, \`.pith/config.yaml\`, \`.gitignore\`) must be regular files of at most 1 MB that are inside the
workspace after all links are resolved, and no *never* rule may forbid them. A file that is not is left alone, and one line says so. Your own files in the configuration
folder may be links to anywhere.`

const PERMISSIONS = `## What tools may do

| mode | without asking |
|---|---|
| \`ask\` (default) | read and search in the workspace |
| \`auto-edit\` | edit files there too |
| \`full\` | run commands too |

A question shows all of what it asks: the whole command, the whole diff, invisible characters by their code. Where that is more than the screen holds, Ctrl+O, Space
or Page Down turn the page, and you can allow it only after you have seen the end.

At a question you can also answer *always* or *never*: the rule that is shown (\`command: npm test\`) then holds for the workspace, and a never wins. \`/permissions rules\` lists
them and removes one. They are kept in \`permissions.json\` in the data folder, where you can change them: \`command: git push *\` (\`*\` stands for any words), \`read: .env\`, \`edit: db/**\`. What may not be read may not be edited either.

A never rule looks at all that a command line runs: every branch, function, substitution and here-document, what \`sh -c\`, \`eval\`, \`xargs\`, \`find -exec\`, \`env\`,
aliases and variables set in the same line lead to, options before the command (\`git -C . push\`), options that name a program (\`tar -I\`, \`rsync -e\`), and paths from every folder (\`cd src && cat ../.env\`, \`.en*\`, \`-d @.env\`).
A command that is named by a path (\`command: scripts/deploy.sh *\`) is that file, with a shell before it or without: \`bash deploy.sh\` in its folder is the same.
If the text does not say what is run or read (\`git $X\`, \`curl … | sh\`, code that names the file), you are asked; in mode \`full\` the command is refused, with the rule
and the word that made it doubtful. So is a line with more commands, words or substitutions in substitutions than anyone would write. A glob, a variable or a folder is no doubt while there is no such file.

A rule is the first wall, not the last. It does not see what a program does once it runs: a script or a Makefile that pushes, a test that loads \`.env\`, code that puts
names together while it runs, a link to the file that was there before, or another command with the same effect.

The second wall is a sandbox, where the system has one: bubblewrap on Linux (\`apt install bubblewrap\`; it needs user namespaces), seatbelt on macOS (written by its documentation,
never tried on a Mac). The status line then says \`sandbox\`. A command can read everything; it can write to the workspace, its git folder, temporary folders and the caches of tools. One
that was stopped can ask to run outside: you get the usual question, with *outside of the sandbox* in its title; no rule answers it, and in mode \`full\` it is refused. \`sandbox: no-network\` takes the
network away, \`sandbox: off\` the wall. It is against accidents: a hostile program can still talk to other programs of yours, through sockets such as Docker's.

However Pith ends (a closed window, SIGHUP, SIGTERM, a crash, \`kill -9\`), all that it started ends within seconds: the running command with its children, what earlier commands left in the
background, MCP servers and hooks. The same holds for \`pith run\` and \`pith serve\`. Behind the sandbox of Linux the kernel knows what belongs to a command, whatever
it does with its parents, sessions or environment (only a mount namespace of its own would hide it). Without the sandbox
processes are found by their parents, groups and sessions and by the variable \`PITH_STARTED_BY\` in their environment. A process that has lost its parent, made a session of its own *and* was started with an empty
environment (\`env -i setsid …\`) is not found, nor is one that another service runs for it (Docker, \`systemd-run\`, \`at\`). On macOS the environment cannot be read: there a process in a
session of its own is found only while its parent lives, and after \`kill -9\` of Pith only the groups of its commands are ended. The work after \`kill -9\` is done by a small shell (\`pith-watchdog\`) beside Pith.
If you leave yourself (Ctrl+D, \`/quit\`), or a run ends by itself, what the agent put into the background keeps running, like a server that you asked for.`

const BESIDE = `## Beside other agents

Looked at on 2026-11-16: Claude Code 2.1.325, Codex 0.166.0, opencode 1.18.18, pi 0.87.1, as installed from npm. *seen*: in the program's own help, in the documentation that comes with it, or in the texts inside
the program; it was not used for a day's work. *–*: looked for there and not found, which is weaker than "it has none". *?*: not checked. What they do about the context is in [Comparison](comparison.md).

| in the terminal | Pith | Claude Code | Codex | opencode | pi |
|---|---|---|---|---|---|
| a message while it works | after the running tool, in the same turn; Tab queues it | seen: queued, ↑ edits it; when it arrives ? | seen: steering and a queue | seen: queued | seen: after the answer and its calls; Alt+Enter queues it |
| images | \`@shot.png\`, a pasted path, the read tool; **not** from the clipboard itself | seen: from the clipboard | seen: Ctrl+V, \`--image\` | seen: \`--file\` | seen: paste, drag |
| images drawn in the terminal | **no** | ? | ? | ? | seen |
| how much it thinks | \`/think\`, Shift+Tab, by model | seen: \`--effort\` | seen | seen: variants | seen: Shift+Tab |
| \`!command\` | \`!\`, and \`!!\` for the screen alone | seen: \`!\` | ? | seen: shell mode | seen: \`!\` and \`!!\` |
| files go back with the conversation | \`/rewind\`: edits and what commands changed, with a diff | seen: code and conversation; commands ? | – (older sessions' snapshots are skipped) | seen: undo and redo of messages; files ? | an example extension, by git |
| one undo for files and compactions | \`/undo\` | – | – | – | – |
| rules listed and removed | \`/permissions rules\` | seen: \`/permissions\` | seen: policy files; a list ? | seen: saved permissions | none of its own, by its documentation; an example extension asks |
| a wall around commands | bubblewrap, seatbelt (never tried on a Mac) | seen: bubblewrap | seen: its own, for Linux, macOS and Windows | – | none built in, by its documentation; an example extension has one |
| MCP | stdio and HTTP; **no** OAuth, prompts, resources | seen | seen, with OAuth | seen, with OAuth | – |
| bell or notification | bell, OSC 9, off | seen: five channels | seen | seen ("attention") | an example extension |
| instructions of nested folders | on the way to where you started; others by name | seen: loaded when it works there | seen, and an override file | seen \`AGENTS.md\`; nested ? | seen: the working folder and those above it, and an override file |
| a key that is missing | \`/model\` asks for it; **no** sign-in with a subscription | sign-in | sign-in | sign-in, many providers | \`/login\` |
| a session on a server | \`--server\`: no rewind of files, no MCP, no \`!command\` | seen: cloud sessions | seen: \`--remote\` | seen: \`attach\` | seen: RPC, not the terminal |
| runs for a pipeline | \`pith run\`: limits of cost, time and steps, exit codes, JSON | seen: \`--max-budget-usd\`, JSON, a schema for the answer | seen: \`exec\`, JSON, a schema for the answer; limits – | seen: \`run\`, JSON; limits ? | seen: print and JSON; limits – |
| numbers of entries that commands take | \`#12\` | ? | ? | ? | ? |
| a redaction that reaches log, search, screen and kept files | \`/redact\` | ? | ? | ? | ? |
| plan mode | **no** | seen | seen | ? | an example extension |
| sub-agents | **no** | seen | seen | seen | an example extension |
| skills, own commands, plug-ins | **no** | seen | seen | seen | seen |
| keys of your own | **no** | seen | seen, vim keys too | seen | seen |
| search in the web | **no**, only through MCP | seen | seen | seen | – |
| language servers | **no** | seen | ? | seen | ? |
| share a session by a link | read-only links of \`pith serve\`, on your own machine | ? | ? | seen | seen |
| Windows | not tested | ? | seen: a sandbox for it | ? | seen: a page for it |`
