/**
 * True for a message in the user's role that a program wrote: notices, outputs of commands the user ran, reminders.
 * It starts with a tag that the agents we know use for them.
 */
export function isMachineText(text: string): boolean {
  return TAGS.test(text)
}

const TAGS = new RegExp(
  [
    '^\\s*<(?:task-notification|local-command-stdout|local-command-stderr|local-command-caveat|bash-stdout|bash-stderr',
    '|system-reminder|user-prompt-submit-hook|environment_context|turn_aborted|subagent_notification)\\b',
    // Commands to the program itself, not to the agent.
    '|^\\s*<command-name>/(?:clear|exit|quit|compact|model|cost|help|login|logout|resume|config|status|context)<',
    '|^\\s*\\[Request interrupted by user|^Caveat: The messages below were generated',
  ].join(''),
)
