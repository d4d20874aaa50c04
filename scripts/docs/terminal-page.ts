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
    PLAN,
    LEAVE_OUT,
    SUB_AGENTS,
    REWIND,
    OUTPUT,
    JOBS,
    MCP,
    FILES,
    PERMISSIONS,
    BESIDE,
  )
}

const INTRODUCTION = `\`pith\` in a folder starts a session there. \`pith --continue\` resumes the last session, \`pith --resume\` lists them all, and \`pith --session ID\` opens any of them. Without a model, Pith offers a bundled session to
try things on.

A session belongs to the folder that it was started in. If you open a session of another folder, Pith asks you: go to its folder, or continue here as a fork. The fork leaves the session and the files of the other folder
as they are. If that folder no longer exists, only the fork is offered.

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

The record contains times, so its token count differs a little from run to run. The bar shows how full the context is: the provider's last report plus an estimate of what came after. Pith compacts by itself before the window is full, and says so.
With \`/policy mode ask\` it asks you first, and with \`/policy mode off\` it never compacts by itself. Esc cancels a compaction and leaves everything as it was; \`/undo\` takes it back later. Text that
you type during a compaction that you asked for stays in the input. An automatic one does not keep you waiting: during a turn, Enter works as usual; after the answer, it queues your message, which is sent when the
compaction is done. Esc cancels the compaction and sends the message at once; Ctrl+C puts it back into the input. If you quit, messages that were not sent are printed below the last screen.`

const SUB_AGENTS = `## Sub-agents

The model can give a piece of work to a sub-agent (the tool \`task\`): an agent with a context of its own. Only its report enters the conversation, so a search through many files costs a few lines. The report ends with the handles of its whole transcript: \`[sub-agent task-1; transcript task-1#1-#5]\`.

- **Finding it again.** \`recall\` of the model, \`/recall\` and \`pith recall --session ID\` also search the transcripts of sub-agents, and name the one that a hit is of: \`task-1#4\`. \`/recall task-1#4\` shows that entry.
- **Tools.** By default it reads and searches files. With \`tools: all\` it may also change files, run commands and call MCP tools. A sub-agent cannot start others, and sees nothing of your conversation except the order that the model wrote.
- **Side by side.** The model may start several in one answer; up to four work at a time, the others wait. Only one of them at a time changes files or runs a command, so that the checkpoint of each call has its own changes. \`/rewind\` restores them like changes of the agent itself.
- **On the screen** each has one line with its current step and the size of its context; Ctrl+O shows all its steps.
- **Permissions** are those of your session, never more. A question names the sub-agent that asks. In \`pith run\` nobody is asked, as for the agent itself.
- **Budget.** \`task_steps\` (60), \`task_tokens\` (3,000,000) and \`task_cost\` ($2) limit each of them. One that reaches a limit ends, and the model gets its last words and its handles. The same holds if one fails, and if the program is killed: the result then says that it was interrupted.
- **Cost.** Each of its model calls is in the account of your session: in the status line, in \`/cost\` (with a row of its own) and for \`--max-cost\`.
- **Esc** ends all of them. A message that you send while they work reaches each running one after its current step, and the agent itself when they have ended. They follow it only if it is about their task.
- Each has a session of its own, which is compacted like any other. \`pith sessions\` leaves them out; \`pith sessions --tasks\` lists them. They are deleted together with the session that started them and its forks.
- A command that it leaves in the background is then the agent's own. \`/redact\` also removes the same words from the transcripts of sub-agents.

With \`--server\`, \`/recall\` searches only the session itself; handles such as \`task-1#4\` work, and the model's own recall searches all of them.`

const REWIND = `## Going back

\`/rewind\` and Esc Esc go back to before a message: the conversation, the files, or both. The diff is one key away. The conversation goes back in a fork, and it can go back past
compactions; the session itself stays as it is. \`/undo\` takes back the latest compaction or rewind of files, whichever was later, and \`/redo\` takes that back.

Before \`write\` and \`edit\` change a file, its content is kept in Pith's data folder (\`checkpoints\`, which only you can read), and the log names it by its hash. Before and
after a command, all files of the workspace are compared. Your git repository is never touched. A file that you or another program changed after the agent is not
overwritten without asking, and everything that a rewind replaces is kept first. If Pith was killed, the next start finds what a command changed before, and asks about it.

Some changes are not kept, so they cannot be restored. These are changes by commands to files that \`.gitignore\` names, to files of more than 8 MB, outside of the workspace, or in a workspace of more
than 20,000 files. They are also links, empty folders, and anything that a command does after it has gone to the background: up to that moment its changes are kept, later ones are not, and if you rewind a file that it wrote since, you are asked. Changes that you make while a command runs count as changes of the command.
Pith names everything that it cannot restore. \`checkpoint_mb\` (500) limits the folder: the sessions that have kept nothing for the longest time lose their contents first. If you delete a session,
its contents are deleted too. \`/redact\` deletes the kept contents, of every session, that have the redacted text or a word of it that looks like a secret, and
says how many. If a file of the workspace still has the text, it is kept again when a command runs, so change the file first. With \`--server\` the files are on the server, and only the conversation goes back.
In a fork of a session of another folder, only files that were changed in this folder go back.`

const PLAN = `## Plan mode

In plan mode, the agent only reads: files, searches, and plain commands that change nothing. Everything else is refused, whatever the permission mode. It ends with a plan that you accept, change with a sentence, or refuse. An
accepted plan becomes the to-do list, and the permission mode is the one from before. \`/plan add a test\` plans that task, \`/plan\` plans your next message, and \`/plan off\` ends it. Until then the status line says \`plan\`, also after a restart. With
\`--server\` there is no plan mode.

## Your own commands and skills

Pith uses the files that you have for other agents. From the project: \`.claude/commands\`, \`.opencode/command\`, \`.opencode/commands\`, \`.claude/skills\` and \`.agents/skills\`. From your home: the same folders of Claude Code and opencode, \`~/.codex/prompts\`
(as \`/prompts:NAME\`) and \`~/.agents/skills\`. A file in a sub-folder has the folder in its name (\`/git:commit\`, with opencode \`/git/commit\`). \`/help\` lists them with the commands of Pith, and says which are not used because their name is taken: built-in
commands come first, then your own files, then those of the project.

- \`/NAME arguments\` sends the file's text with your message. \`$ARGUMENTS\` and \`$1\` in it are your arguments, \`@file\` attaches a file of the workspace, and \`\` !\`git status\` \`\` runs a command, by the same permissions as a command of the model. Only the line that you typed counts as your words.
- Of a skill, the model gets only the name, the description and the path until it or you use the skill. The record of a compaction names a skill that was used, so that it can be loaded again.
- The commands and skills of a project whose \`.pith/config.yaml\` you have not trusted are not used, and a line says so. A *never* rule also keeps these files from being read.`

const LEAVE_OUT = `## Leaving a part out

\`/leave-out\` takes a part out of the context that you know is useless: a message (\`#40\`), a range (\`#40-#71\`), a turn (\`turn:#40\`), all results of a tool (\`tool:bash\`), or those about a file (\`file:src/a.ts\`).
Without a part, it lists the largest ones with their tokens. One line says how the size changed and what the broken cache costs. With \`later\` at the end (\`/leave-out #40-#71 later\`), it waits until the
cache has expired or a compaction is due. \`/put-back #40\` brings the part back, and \`/undo\` takes back the newest change. [How it works](how-it-works.md#leaving-a-part-out).

## What the model may do with its context

Under the policies \`pith\`, \`balanced\`, \`economy\` and \`full-window\` in mode \`auto\`, the agent has a tool \`context\`. With it the model can

- \`show\` how full the context is, the largest parts, and the results that later calls made obsolete (a file that was read or changed again, a command that ran again);
- \`drop\` a part, as \`/leave-out\` does, or all obsolete results at once (\`superseded\`). If the broken cache would cost more than 40 requests save, it waits until the cache has expired or a compaction is due;
- \`restore\` what it dropped, but not what you left out;
- \`compact\` with a focus. This is noted in the log and done at the next end of work, or at the trigger. It is refused while a compaction would save nothing.

It cannot drop what you said, pins, records, instructions, the current turn, or what you put back, and you get a line for each change. \`/undo\` and \`/put-back\` bring a part back, and then the model cannot drop it
again; \`/undo\` also takes back a compaction that is only noted. No permission is asked for, because every use can be undone. After five uses in a row without other work, the tool refuses. It takes about 300 tokens of
each request. In the presets of other systems and in the modes \`ask\` and \`off\`, it is not offered.`

const HANDLES = `## Numbers, keys, bells

\`/help\` is a list of all commands and keys: type to narrow it, Enter puts the command into the input. \`/context\`, \`/policy\` and \`/memory\` show as much as fits the screen, the most important rows first (in \`/policy\` the values that you have set); Ctrl+O shows the rest.

Every message, answer and result is followed by its number (\`#12\`). You can use the number in commands: \`/recall #12\`, \`/copy #12\`, \`/pin #12\`, \`/leave-out #12-#20\`, \`/redact #12\`, \`/fork #12\` and \`/rewind #12\`.

If you choose a model with \`/model\` and its provider has no key, Pith asks for the key. The key is not shown while you type or paste it, and it is not in any history or log. It is saved in your configuration file
(\`providers.NAME.api_key\`), which then only you can read. A variable such as \`ANTHROPIC_API_KEY\` works too. \`pith config unset providers.NAME.api_key\` removes the key again.

What you choose with \`/model\` and \`/think\` is for this session, also when you open it again. The answer names the command that sets it for new ones, \`pith config set model NAME\` for example.

The terminal rings the bell when it asks something and when a turn of ten seconds or more has ended. \`notify: desktop\` in the configuration also sends a notification (OSC 9), and \`notify: off\` is silent.

Code in answers and diffs has the colours of its language. In a diff, each line has its number, and the words that changed in a line are bold and underlined. Tables in answers ignore the alignment that their Markdown asks for: every column begins at the left. \`theme: none\` or \`NO_COLOR\` turns all colours off.`

const ATTACHMENTS = `## Your own commands and editor

\`!npm test\` runs a command of yours: without asking, outside of the sandbox, and with your own \`EDITOR\`. Its output is in the conversation, and the model reads it with your next message.
A program that needs the terminal gets it, and the screen comes back when it ends: \`!vim a.ts\`, \`!less log\`, \`!git commit\`, \`!sudo …\`, \`!ssh …\`. Pith knows the usual ones by name; \`!!\` gives the
terminal to any command. Of these, the conversation gets only the command and its exit code. Ctrl+G opens the message that you are writing in \`$VISUAL\` or \`$EDITOR\`, otherwise in \`vi\`.

## Files and images in a message

\`@src/a.ts\` attaches the content of a file (Tab completes the name, \`@"two words.txt"\` has quotes), and \`@shot.png\` attaches an image. If you paste the path of an image, or drop it on the terminal, the image
is attached too. PNG, JPEG, GIF and WebP of at most 5 MB are shown to the model, also when it reads one by itself. Of a long file, as much is attached as one call of \`read\` returns, and the
model gets a note on how to read the rest. An attached file counts as read: the agent may edit it. A model that is not known to accept images (\`input\` under \`models\`) gets a line of text instead, and Pith informs you. An image that the provider refuses is left out from then on. Images are counted as about 1,200
tokens until the provider has counted them. A compaction leaves their handle, and \`recall\` shows them again. With \`--server\`, a file name is sent as text and attaches nothing.`

const OUTPUT = `## Output of commands

Of a command, the model's or yours (\`!command\`), the model gets what a terminal would show:

- Carriage returns, backspaces, cursor moves and erasing are applied, so a progress bar is one line. The screen is 50 rows high and has no width; lines that scroll off stay. Colours and titles are left out.
- A line that comes again and again is there once, followed by \`[… the line above 37 more times]\`.
- A line of more than 4,000 characters is cut to its head and tail.
- Binary output is not sent: \`[binary output, not shown: 60 MB (60,000,000 bytes) in all, sha256 …]\`. Text before and after it is.
- Of more than 1 MB, the beginning and the end are kept.

If this leaves out more than colours, the raw output is kept next to its entry, up to 1 MB; of binary output, only size and hash. The result names it: \`[shown as a terminal shows it; raw output, 12005 characters: recall #91 with raw]\`. The model reads it with
\`recall\`, and you with \`/recall #91 raw\` (the first 4,000 characters; not with \`--server\`) or all of it with \`pith recall --raw --session ID '#91'\`, with control characters as signs (␛, ␍). No search finds it, and \`/redact\` removes it with its entry.`

const JOBS = `## Background commands

A command goes to the background if the model asks for it (\`background\` of \`bash\`), or if you press Ctrl+B while it runs; in tmux, whose own key that is, press it twice. It continues without a time limit, also if you interrupt the
turn. At most eight run at once. Permissions and the sandbox are those of any command. It has a handle (\`j12\`): the model reads its output and stops it with the tool \`job\`. When it ends, you see a line, and the model reads the exit code and the end of
the output with its next request, as a report of the program and not as your words; \`recall\` has the whole output. After a compaction, the handles of the running ones are given to the model again.

\`/jobs\` lists them: state, exit code, time, command and last line. Choose one to read its output, stop it or detach it. All of them end with Pith, also after \`kill -9\`, and with the end of \`pith run\`; the session reports this once when you open it again. A
detached one runs on, with its output in a file; the model cannot detach one. In the Linux sandbox, a command that you sent to the background with Ctrl+B cannot be detached, because the kernel ends it with Pith. \`/new\` and
\`/resume\` leave commands running, but going to the folder of another session ends them. If a command makes a file that runs code later (see the sandbox), it is renamed when the command ends, and nobody is asked. Files that such a command
writes later are not kept for \`/rewind\`. With \`--server\`, commands in the background run on the server, until it drops the session from memory or ends; \`/jobs\` and Ctrl+B do not reach them.`

const MCP = `## MCP servers

The agent gets the tools of the servers under [\`mcp\`](configuration.md#mcp) in the configuration, and of the project's \`.mcp.json\`, as \`server__tool\`. A server is a program that communicates
over standard input and output (\`command\`), or an address that uses streamable HTTP (\`url\`). The servers of a \`.mcp.json\` are programs that somebody else chose, and they run
outside of the sandbox. So Pith shows you the whole command with its arguments in quotes, its folder, the variables that it sets, the address and the headers, and asks once for each version of the
file. After any change it asks again. It also asks again about an approval that 0.2 stored, because the question of 0.2 showed less. \`\${NAME}\` is shown as it is written, with a note that it comes from your
environment; its value is neither shown nor stored. Your answer is for the file, not for the programs that it names: a script of the project can change later. \`pith run\` cannot ask, and starts
only servers that you approved in the terminal. \`/mcp\` lists the servers with their state, their tools, how much of the context these take, and errors.

Pith asks about each call as it does about a command, unless the mode is \`full\` or a rule says otherwise (\`tool: docs__*\`). Rules for paths do not apply inside a server: they do not limit what its program reads
and writes. A long result is shown in part and can be recalled. Images in results are sent to models that accept images. Esc ends a call. A server that hangs costs the time of its call
(\`timeout_ms\`). A server that dies is started again by the next call. Neither stops the agent. Not supported: the old SSE transport, OAuth (set \`headers\`), prompts, resources and sampling.`

const FILES = `## Files it reads

Pith reads \`AGENTS.md\` (instructions; if there is none, \`CLAUDE.md\`) and \`MEMORY.md\` (facts): first yours from the configuration folder, then those of the workspace. They are
added to every request from the file, so no compaction can lose them. A change takes effect with the next request. \`--no-instructions\` leaves \`AGENTS.md\` out.
If you start in a folder of the workspace, the files in the folders on the way down to it are loaded too. Those of other folders are not loaded: the model gets their names and the instruction to read one before
it changes anything there. The first lines of the screen say which files are loaded and which are not. Pith looks at four levels of folders and at most 500 folders, and skips
\`node_modules\`, \`vendor\` and build output.

The prompt also has the date, the git branch and the number of uncommitted files, as they were when the session began, and the permission mode. If you change the mode, the model reads it with your next message. Pith runs
\`git status\` for this only if \`.git/config\` names no program.

Pith reads some files of the workspace without being asked to (these and \`.pith/config.yaml\`). They must be regular files of at most 1 MB that are inside the
workspace after all links are resolved, and no *never* rule may forbid them. Other files are not read, and one line says so. Your own files in the configuration
folder may be links to anywhere.`

const PERMISSIONS = `## What tools may do

| mode | without asking |
|---|---|
| \`ask\` (default) | read and search in the workspace, also with commands that only look there (\`ls\`, \`git status\`, \`rg\`) |
| \`auto-edit\` | edit files there too and, if there is a sandbox, run commands in it |
| \`full\` | run commands too |

In \`auto-edit\` you are still asked about protected files, and about a command whose text shows that it needs the network, writes outside of the workspace or changes the system. Without a sandbox you
are asked about every command that does more than look. If a rule or the setting takes the network away, you are not asked about it: the command fails in the sandbox, and the agent can ask to run it outside.
\`/permissions\` sets the mode of the open session, \`--permissions\` that of all sessions until Pith ends. After that (\`--continue\`, \`/resume\`, \`/new\`) the configured mode counts again, and one line says so.

A question shows everything that it asks about: the whole command, the whole diff, invisible characters by their code. If that does not fit the screen, Ctrl+O, Space
or Page Down show the next part, and End or G the last one. You can allow it once you have seen its end. Esc refuses this one call, and the other calls of the agent stay; Ctrl+C interrupts the turn.

You can answer *once*; *in this session* (all edits, or exactly this command); *always* (exactly this, \`command: npm test\`, or with any arguments, \`command: npm run build *\`); or *never*. For a compound
command, the rules are about its parts. With \`--server\` you can answer once, in this session, or no: rules are set on the server. Always and never apply to the workspace, and a never rule wins. \`/permissions rules\` lists the rules and removes one. They are kept in \`permissions.json\` in the data folder.
You can change them there: \`command: git push *\` (\`*\` matches any words), \`read: .env\`, \`edit: db/**\`; \`network: *\` under \`never\` takes the network away from commands in the sandbox. A file that may not be read may not be edited either.
A never rule for a folder is about everything in it. One that includes the workspace itself (\`read: ~/**\` for a workspace in your home folder) is refused at the start, with a line that says how to write it.

If the sandbox keeps a never rule, Pith does not guess from the text of a command whether it breaks the rule. No sandbox can keep a rule for a command (\`git push\`), and without a sandbox nothing keeps any. Then the text decides whether you are asked:

- A command is *plain* if all its words are literal, and each program takes no command and no code as an argument and has only options that Pith knows: \`ls\`, \`git diff\`, \`npm test\`, \`make\`. Pipes, \`&&\`, \`;\` and redirections into
  the workspace are plain. Variables, substitutions, blocks, here-documents, \`xargs\`, \`find -exec\`, \`env\`, \`git -c\`, interpreters and unknown programs are not. A command that an always rule allows is plain too, unless its program runs others and the rule has a \`*\`.
- A plain command is refused if a rule forbids it (\`git -C . push\` is a \`git push\`, \`rm -r -f x\` is an \`rm -rf *\`; more arguments than in the rule do not help) or forbids a path that it names (also through \`cd\`, a link, or \`HEAD:.env\`). Otherwise the mode decides.
  You are asked about a search in a folder that has a forbidden file or a link to one, and about a command of git that prints the contents of files, from whatever folder of the repository. You are also asked about a command that
  uses a path after an earlier command of the same line moved, copied or checked out something there: that may have been a link.
- You are asked about everything else, in every mode. If nobody can be asked, it is refused. The message names the rule and the words that made it doubtful.

Commands that run what the files of the project say (\`npm test\`, \`make\`, a commit with its hooks) are plain. What these files do is the sandbox's business; without a sandbox nobody stops them. A line that writes a file and
then runs files of the project is not plain.

A \`permissions.json\` of 0.2 is still read. These rules do more than they did there:

- a never rule for a command also forbids it with more arguments: \`make\` is also about \`make install\`. Variables such as \`CI=1\` before the command in a rule do not count;
- a never rule for a folder (\`read: secrets\`, \`read: secrets/*\`) is about everything in it, and one with an absolute path is also about that path in the workspace, for commands and for tools;
- an always rule for a command also allows it as a part of a line whose other parts are allowed, and always rules for paths also allow plain commands to read or to write to them (\`cat ~/notes/a.md\` by \`read: ~/notes/**\`);
- in mode \`full\`, you are asked about a command that may be forbidden. In 0.2 it was refused. It still is if nobody can be asked.

There is a sandbox if the system has one: bubblewrap on Linux (\`apt install bubblewrap\`, 0.5 or later; it needs user namespaces), seatbelt on macOS (written from its documentation,
never tried on a Mac: there, a path cannot lead to another one, so a private cache is used only by tools that read its variable (\`XDG_CACHE_HOME\`, \`npm_config_cache\`, \`GOCACHE\`), and other such caches are read-only). The status line then says \`sandbox\`, and
\`/permissions\` says so if there is none. In it,

- a command can write to the workspace, its git folder, temporary folders and the downloads of tools, and read everything else except secrets;
- caches with programs in them, or with what is built into programs (\`~/.gradle\`, \`~/.npm/_npx\`, \`~/.cargo/registry/src\`, most of \`~/.cache\`), are private to the session: they begin empty or with a view of yours, and are removed when Pith
  ends. Downloads (\`~/.npm/_cacache\`, \`~/.m2/repository\`, \`~/.cargo/registry/cache\`, those of pip and pnpm) are shared. Folders with programs (\`~/.deno/bin\`, \`~/.yarn/bin\`, \`~/.gem\`, the bin folder of pnpm) are read-only. \`src/agent/sandbox/reach.ts\` has the lists;
- secrets are hidden: Pith's own folders and database, \`~/.ssh\`, \`~/.aws\`, \`~/.azure\`, \`~/.netrc\`, \`~/.git-credentials\`, \`~/.config/gh\`, \`~/.config/gcloud\`, \`~/.docker/config.json\`, \`~/.kube\`, credentials of PyPI, RubyGems, Cargo and other agents, profiles of
  browsers, keyrings and \`/etc/shadow\`. \`~/.npmrc\` is shown without its token lines, so that installs work. For root, a hidden folder is empty; for others it cannot be entered. \`sandbox_open: [~/.aws]\` leaves one open, or makes a private cache the real one;
- paths under \`never\` with \`read\` cannot be opened, whoever tries: "Permission denied", also for root, and git does not add them. Paths with \`edit\` are read-only. The patterns are looked up when the command starts, so a file that the
  command itself makes is free until the next one. A pattern that is not absolute (\`**/.env*\`) is looked up in the workspace. Links to such a file lead to the same error; of other names of the same file (hard links), those in the workspace are found;
- files that run code later are read-only: \`.git/hooks\`, \`.git/config\`, \`.git/info/attributes\`, the folder of \`core.hooksPath\`, \`.husky\`, \`.github/workflows\`, \`.vscode\`, \`.idea\`, \`.envrc\`, \`.npmrc\`, \`.yarnrc*\`, \`.pnpmfile*\`, \`.mcp.json\`, \`.pith/config.yaml\`, and the
  settings of other agents (\`.claude\`, \`.codex\`, \`.cursor\`, \`.gemini\`, \`.opencode\`, \`.pi\`, \`.qwen\`). You are asked about a command that is known to write them (\`yarn set version\`, \`husky init\`, \`git remote add\`, \`git sparse-checkout\`, or a \`git checkout\` or \`git merge\` of
  commits in which they differ); then it runs in the sandbox and may write just these. In a longer line (\`git fetch && git merge\`) nothing is known of it: it fails at such a file, and the agent can ask again with the command alone.
  If a command makes such a file, in whatever folder of the workspace, or puts another one in its place, it is renamed (\`.envrc.aside\`) when the command ends, and you are asked as for an edit. After a yes it gets its name back; otherwise you and the model
  read where it is. What \`git init\`, \`git clone\`, \`git worktree\` and \`git submodule\` make by themselves is not asked about;
- a command sees only its own processes (Linux), so it cannot signal Pith or read its environment. A server that it starts with \`&\` ends with it, and the answer says so.

A command that is known to need a secret (\`git push\` over ssh, \`aws\`, \`gh\`, \`docker\`, \`npm publish\`; only if you have that secret) is asked about and then runs outside. If another command fails and its output names a hidden path, Pith asks whether to
run it again outside, and the question says that it ran once already. The agent can also ask by itself. Each time you get the usual question, with *outside of the sandbox* in its title. No rule answers it. Only one plain command alone in its line can run outside, never a
part of a longer line. In mode \`full\`, and if nobody can be asked, commands stay inside. \`sandbox: no-network\` takes away the
network, and \`sandbox: off\` turns the sandbox off. The sandbox protects against accidents: a hostile program can still reach your other programs, through sockets such as Docker's.

However Pith ends (a closed window, SIGHUP, SIGTERM, a crash, \`kill -9\`), everything that it started ends within seconds: the running command with its child processes, anything that earlier commands left in the
background, MCP servers and hooks. The same is true for \`pith run\` and \`pith serve\`. In the Linux sandbox, the kernel ends all processes of a command with it, whatever
the command does with their parents, sessions or environment. Without the sandbox,
processes are found by their parents, groups and sessions, and by the variable \`PITH_STARTED_BY\` in their environment. A process is not found if it has lost its parent, made its own session *and* was started with an empty
environment (\`env -i setsid …\`). A process that another service runs for it (Docker, \`systemd-run\`, \`at\`) is not found either. On macOS the environment cannot be read. There, a process in
its own session is found only while its parent lives, and after \`kill -9\` of Pith only the process groups of its commands are ended. After \`kill -9\`, a small shell (\`pith-watchdog\`) that runs beside Pith does this work.
If you quit (Ctrl+D, \`/quit\`), or a run ends by itself, the same ends: also what a command left with \`&\`. Only a [background command](#background-commands) that you detached runs on.`

const BESIDE = `## Beside other agents

Checked on 2026-11-16 and 2026-11-18: Claude Code 2.1.325, Codex 0.166.0, opencode 1.18.18, pi 0.87.1, as installed from npm. *seen* means seen in the program's own help, in the documentation that comes with it, or in texts inside
the program; we did not use it for a day's work. *–* means that we looked there and did not find it, which is weaker than "it has none". *?* means not checked. [Comparison](comparison.md) shows what they do about the context.

| in the terminal | Pith | Claude Code | Codex | opencode | pi |
|---|---|---|---|---|---|
| a message while it works | after the running tool, in the same turn; Tab queues it | seen: queued, ↑ edits it; when it arrives ? | seen: steering and a queue | seen: queued | seen: after the answer and its calls; Alt+Enter queues it |
| images | \`@shot.png\`, a pasted path, the read tool; Ctrl+V from the clipboard, if a program for it is installed (tried with stand-ins for these programs only) | seen: from the clipboard | seen: Ctrl+V, \`--image\` | seen: \`--file\` | seen: paste, drag |
| images drawn in the terminal | **no** | ? | ? | ? | seen |
| how much it thinks | \`/think\`, Shift+Tab, by model | seen: \`--effort\` | seen | seen: variants | seen: Shift+Tab |
| commands in the background | \`background\` of the tool, Ctrl+B, \`/jobs\`; end with the program | seen: Ctrl+B | seen: background terminals, \`/ps\` | ? | ? |
| your editor for a message | Ctrl+G | seen | seen: a key for it | seen: a key for it | seen: Ctrl+G |
| search in earlier messages | Ctrl+R, over the last sessions | seen; over sessions ? | seen: "Search history" | seen: a prompt history; a search ? | seen: ↑ and ↓; a search – |
| colours of code, and the words that changed in a diff | both, with line numbers | ? | seen: a library for colours of code; words ? | seen: tree-sitter, a diff viewer; words ? | seen: both |
| redo after an undo | \`/redo\` | ? | ? | seen: messages | ? |
| the to-do list, drawn when it changes | yes; an accepted plan becomes the list | ? | ? | seen: a to-do tool; drawn ? | an example extension |
| \`!command\` | \`!\`; \`!vim\` and \`!!\` get the terminal | seen: \`!\` | seen: \`!\` | seen: shell mode | seen: \`!\` and \`!!\` |
| files go back with the conversation | \`/rewind\`: edits and changes by commands, with a diff | seen: code and conversation; commands ? | – (older sessions' snapshots are skipped) | seen: undo and redo of messages; files ? | an example extension, by git |
| one undo for files and compactions | \`/undo\` | – | – | – | – |
| rules listed and removed | \`/permissions rules\` | seen: \`/permissions\` | seen: policy files; a list ? | seen: saved permissions | none, according to its documentation; an example extension asks |
| a sandbox for commands | bubblewrap, seatbelt (never tried on a Mac) | seen: bubblewrap | seen: its own, for Linux, macOS and Windows | – | none built in, according to its documentation; an example extension has one |
| MCP | stdio and HTTP; **no** OAuth, prompts, resources | seen | seen, with OAuth | seen, with OAuth | – |
| bell or notification | bell, OSC 9, off | seen: five channels | seen | seen ("attention") | an example extension |
| instructions of nested folders | on the way to where you started; others by name | seen: loaded when it works there | seen, and an override file | seen \`AGENTS.md\`; nested ? | seen: the working folder and those above it, and an override file |
| a key that is missing | \`/model\` asks for it; **no** sign-in with a subscription | sign-in | sign-in | sign-in, many providers | \`/login\` |
| a session on a server | \`--server\`: no rewind of files, no MCP, no \`/jobs\`, no \`!command\` | seen: cloud sessions | seen: \`--remote\` | seen: \`attach\` | seen: RPC, not the terminal |
| runs for a pipeline | \`pith run\`: limits on cost, time and steps, exit codes, JSON | seen: \`--max-budget-usd\`, JSON, a schema for the answer | seen: \`exec\`, JSON, a schema for the answer; limits – | seen: \`run\`, JSON; limits ? | seen: print and JSON; limits – |
| numbers of entries that commands take | \`#12\` | ? | ? | ? | ? |
| a redaction that reaches log, search, screen and kept files | \`/redact\` | ? | ? | ? | ? |
| plan mode | \`/plan\`: reads only, enforced by the permission gate | seen | seen | seen: an agent for it | an example extension |
| sub-agents | \`task\`: side by side, one of them writes at a time; only the report enters the context, recall has the rest; **no** kinds or models of your own for them | seen | seen | seen | an example extension |
| skills, own commands, plug-ins | skills and commands of Claude Code, opencode and Codex; **no** plug-ins | seen | seen | seen | seen |
| your own keys | **no** | seen | seen, vim keys too | seen | seen |
| web search | **no**, only through MCP | seen | seen | seen | – |
| language servers | **no** | seen | ? | seen | ? |
| share a session by a link | read-only links of \`pith serve\`, on your own machine | ? | ? | seen | seen |
| Windows | not tested | ? | seen: a sandbox for it | ? | seen: a page for it |`
