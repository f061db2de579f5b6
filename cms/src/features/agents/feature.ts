import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'

const KEPT_MS = 90 * 86_400_000

/** Agents by MCP (§4.10): forgets their calls after 90 days. Their routes are made of all others (`agentRoutes`). */
export const agents: Feature = {
  name: 'agents',
  jobs: ({ mcp }) =>
    mcp === null
      ? []
      : [
          {
            name: 'agent calls',
            schedule: DAILY,
            run: (ctx) => ctx.store.transaction(({ agentCalls }) => agentCalls.prune(ctx.now().getTime() - KEPT_MS)),
          },
        ],
}
