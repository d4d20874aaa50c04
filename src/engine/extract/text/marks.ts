/**
 * The marks by which text of a program in the user's role is recognised, from every source. Known clients write all of them
 * themselves; `UNKNOWN_FILE_MARKS` are only for a client that we do not know.
 */

/** Tags of notes that clients put around the user's words: the state of the editor, reminders for the model. */
export const NOTE_TAGS = [
  'system-reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'hook_context',
] as const

/**
 * Tags around files that the user attached, some of them only with an attribute: ours; those of the adapters that connect
 * Claude Code, Codex and others to editors such as Zed; those of pi.
 */
export const FILE_TAGS: readonly { readonly tag: string; readonly attribute?: string }[] = [
  { tag: 'attached_file' },
  { tag: 'context', attribute: 'ref' },
  { tag: 'file', attribute: 'name' },
]

/** Claude Code begins a conversation with the agent's own plan, if the user accepted that. In its files a field says so. */
export const PLAN_OPENING = 'Implement the following plan:'

/**
 * Lines before the content of a file: everything from such a line on is not typed. Each is the beginning of a line, without the
 * signs that may decorate it, and the texts that follow in it.
 */
export const FILE_MARKS: readonly (readonly string[])[] = [
  // Gemini CLI and qwen-code, for files, folders, resources of MCP servers, and what an editor attaches.
  ['Content from referenced files', '--'],
  ['Content from referenced context', '--'],
  ['Content from @', ':'],
  // opencode, for a file and for a resource of an MCP server.
  ['Called the ', ' tool with the following input: {'],
  ['Reading MCP resource: ', ' (', '://', ')'],
]

/** The same for clients that we do not know: the words that programs put before a file or before the output of a tool. */
export const UNKNOWN_FILE_MARKS: readonly (readonly string[])[] = [
  ['Content ', ':'],
  ['Contents ', ':'],
  ['Content from referenced '],
  ['File content', ':'],
  ['File: '],
  ['Attached file', ':'],
  ['Attached context', ':'],
  ['Referenced file', ':'],
  ['Here is the content of ', ':'],
  ['Here are the contents of ', ':'],
  ['The content of ', ':'],
  ['The contents of ', ':'],
  ['The user attached ', ':'],
  ['Observation:'],
  ['Execution result of '],
  ['Tool result', ':'],
  ['Tool output', ':'],
  ['Result of ', ':'],
  [PLAN_OPENING],
]

/** The text that Gemini CLI and qwen-code put after referenced files, and before words that were typed. */
export const FILE_END = '--- End of content ---'

/** Tags in which a program writes to the model in the user's role. */
export const PROGRAM_TAGS: readonly string[] = [
  'task-notification|teammate-message|cross-session-message|channel-message|channel|tick',
  'local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr',
  'user-prompt-submit-hook|environment_context|turn_aborted|subagent_notification|user_instructions',
  'user_shell_command|permissions instructions|INSTRUCTIONS|skill|state_snapshot|session_context|hook_prompt',
  'codex_internal_context|goal_context|recommended_plugins|collaboration_mode|skills|user_action',
  'model_switch|apps_instructions|plugins_instructions|realtime_conversation|environments',
  'mcp-resource-update|mcp-polling-update|persisted-output|fork-boilerplate|remote-review',
  'available-deferred-tools|loaded_context',
].flatMap((tags) => tags.split('|'))

/** Commands to the program itself, not to the agent. */
export const PROGRAM_COMMANDS = [
  'add-dir|agents|bashes|clear|compact|config|context|copy|cost|doctor|effort|exit|export|extra-usage|fast|feedback|help',
  'hooks|ide|keybindings|login|logout|mcp|memory|model|output-style|permissions|plugin|plugins|privacy-settings|quit',
  'rate-limit-options|release-notes|rename|resume|rewind|sandbox|skills|stats|status|statusline|tasks|terminal-setup',
  'theme|todos|upgrade|usage|vim',
].join('|')

/** Patterns of the beginnings of texts that programs write in the user's role. */
export const PROGRAM_PHRASES = [
  // Summaries in the user's role: our own records, Claude Code, Codex, pi twice, Copilot CLI.
  'The earlier part of this conversation \\(\\d+ messages?\\) was compacted',
  'This session is being continued from a previous conversation',
  'Another language model started to solve this problem and produced a summary',
  'The conversation history before this point was compacted into the following summary:',
  'The following is a summary of a branch that this conversation came back from:',
  'Some of the conversation history has been summarized to free up context\\.',
  'The earlier part of this conversation was compacted\\.',
  '\\[Conversation Summary\\]',
  '\\[Conversation summary — earlier messages were compacted\\]',
  'This is the Gemini CLI\\. We are setting up the context',
  'This is the Qwen Code\\. We are setting up the context',
  'I ran the following shell command:',
  "Here is a summary of changes in the user's editor",
  "Here is the user's editor context as a JSON object",
  'System: Potential loop detected',
  // Claude Code, for other sessions and programs.
  'Another Claude session sent a message',
  'The coordinator sent a message',
  'The [^\\n]{1,80} plugin sent a message',
  'A message arrived from \\w',
  'A background agent completed a task:',
  '\\[SYSTEM NOTIFICATION - NOT USER INPUT\\]',
  // opencode, for a file that it could not attach.
  '\\w+ tool failed to read ',
  '\\[Request interrupted by user',
  'Caveat: The messages below were generated',
  'Base directory for this skill: ',
  '# AGENTS\\.md instructions for ',
  'Stop hook feedback:',
  // opencode, for a sub-agent that the user names, after a sub-agent or a compaction, and for a shell command of the user.
  'Use the above message and context to generate a prompt and call the task tool with subagent: ',
  'Summarize the task tool output above and continue with your task\\.$',
  'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\\.$',
  "The previous request exceeded the provider's size limit due to large media attachments\\.",
  'The following tool was executed by the user$',
  '\\[Image: (?:source|original)',
]
