import ArticleIndexPage from './ArticleIndexPage.astro'
import ArticleShowPage from './ArticleShowPage.astro'
import DefaultPage from './DefaultPage.astro'
import NoTemplate from './NoTemplate.astro'
import NotFoundPage from './NotFoundPage.astro'

export default {
  '@apostrophecms/home-page': DefaultPage,
  'default-page': DefaultPage,
  '@apostrophecms/blog-page:index': ArticleIndexPage,
  '@apostrophecms/blog-page:show': ArticleShowPage,
  '@apostrophecms/page:notFound': NotFoundPage,
  'apos-no-template': NoTemplate,
}
