import { ErrorBoundary, Route, Router } from 'preact-iso'
import { useEditor } from '../data/editor.ts'
import { HomeScreen } from '../screens/home/home-screen.tsx'
import { ListScreen, SiteScreen } from '../screens/list/list-screen.tsx'
import { lazyPart } from '../screens/parts/lazy-part.tsx'
import { NoPlace } from '../screens/parts/no-place.tsx'

const DocumentScreen = lazyPart(async () => (await import('../screens/document/document-screen.tsx')).DocumentScreen)
const ActivityScreen = lazyPart(async () => (await import('../screens/activity/activity-screen.tsx')).ActivityScreen)
const ProposalsScreen = lazyPart(
  async () => (await import('../screens/proposals/proposals-screen.tsx')).ProposalsScreen,
)
const ProposalScreen = lazyPart(async () => (await import('../screens/proposals/proposal-screen.tsx')).ProposalScreen)
const AgentsScreen = lazyPart(async () => (await import('../screens/agents/agents-screen.tsx')).AgentsScreen)
const PagesScreen = lazyPart(async () => (await import('../screens/pages/pages-screen.tsx')).PagesScreen)
const ImagesScreen = lazyPart(async () => (await import('../screens/media/media-screen.tsx')).ImagesScreen)
const FilesScreen = lazyPart(async () => (await import('../screens/media/media-screen.tsx')).FilesScreen)

/** The screen of each address. */
export function Routes() {
  const { base } = useEditor().place
  return (
    <ErrorBoundary>
      <Router>
        <Route path={base === '' ? '/' : base} component={HomeScreen} />
        <Route path={`${base}/content/:type`} component={ListScreen} />
        <Route path={`${base}/content/:type/:docId`} component={DocumentScreen} />
        <Route path={`${base}/pages`} component={PagesScreen} />
        <Route path={`${base}/pages/:docId`} component={DocumentScreen} />
        <Route path={`${base}/site/:name`} component={SiteScreen} />
        <Route path={`${base}/media/images`} component={ImagesScreen} />
        <Route path={`${base}/media/files`} component={FilesScreen} />
        <Route path={`${base}/activity`} component={ActivityScreen} />
        <Route path={`${base}/proposals`} component={ProposalsScreen} />
        <Route path={`${base}/proposals/:id`} component={ProposalScreen} />
        <Route path={`${base}/agents`} component={AgentsScreen} />
        <Route default component={NoPlace} />
      </Router>
    </ErrorBoundary>
  )
}
