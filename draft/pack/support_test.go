package pack

// contractRules returns the rules of the citation contract.
func contractRules() Rules {
	return Rules{MaxChunks: 30, ChunkTokens: 500, OverlapTokens: 100, SimilarityPercent: 10, RecentDays: 7, ContextDays: 30, ContextPercent: 50,
		PublisherPercent: 40, TopTierPercent: 50, MonitorPercent: 15, SimilarityWeight: 50, RecencyWeight: 30, CredibilityWeight: 20}
}

// plainRules returns rules without recency, publishers and tiers.
func plainRules() Rules {
	return Rules{MaxChunks: 30, ChunkTokens: 500, OverlapTokens: 100, SimilarityPercent: 10,
		PublisherPercent: 100, MonitorPercent: 100, SimilarityWeight: 50, RecencyWeight: 30, CredibilityWeight: 20}
}
