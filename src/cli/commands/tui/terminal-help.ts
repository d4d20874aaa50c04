/** The flags of `pith` without a command, as help shows them. */
export const TERMINAL_HELP = `
In a terminal, without a command, pith is the agent:
    pith                                             start a session here
    pith --continue                                  continue the latest session of this workspace
    pith --session ID                                continue that session (the beginning of its id is enough)
    pith --resume                                    choose a session from the list
    pith --server URL [--token T] [--workspace NAME] a session on a server (pith serve prints its address)
    pith --model PROVIDER/MODEL --permissions MODE --policy PRESET --theme THEME --store PLACE --no-instructions`
