import LayoutColumnWidget from '@apostrophecms/apostrophe-astro/widgets/LayoutColumnWidget.astro'
import LayoutWidget from '@apostrophecms/apostrophe-astro/widgets/LayoutWidget.astro'
import FileWidget from './FileWidget.astro'
import ImageWidget from './ImageWidget.astro'
import QuoteWidget from './QuoteWidget.astro'
import RichTextWidget from './RichTextWidget.astro'
import VideoWidget from './VideoWidget.astro'

export default {
  '@apostrophecms/rich-text': RichTextWidget,
  '@apostrophecms/image': ImageWidget,
  '@apostrophecms/video': VideoWidget,
  '@apostrophecms/file': FileWidget,
  '@apostrophecms/layout': LayoutWidget,
  '@apostrophecms/layout-column': LayoutColumnWidget,
  quote: QuoteWidget,
}
