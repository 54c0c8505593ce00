import { Component, type ReactNode } from 'react'
import { ErrorState } from './states.tsx'

/** Keeps a broken page from taking the navigation with it. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return (
      <ErrorState
        title="This page failed"
        error={this.state.error}
        onRetry={() => this.setState({ error: undefined })}
      />
    )
  }
}
