"""Coverage of stated intervals: 90 % of such values are inside."""

LEVEL = 0.90
NORMAL_90 = 1.645  # half-width of that interval in standard deviations of a normal distribution
ONE_SIDED = 1.2816  # 90 % of a normal distribution are below this number of standard deviations
STUDENT = (3.078, 1.886, 1.638, 1.533, 1.476, 1.440, 1.415)  # the same of Student's t with 1, 2, ... degrees of freedom
